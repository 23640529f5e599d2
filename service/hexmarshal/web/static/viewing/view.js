// A file in the browser: which page it gets depends on what it is.

import { get } from "../shared/api.js";
import { Board } from "../board/board.js";
import { $, say } from "../shared/dom.js";

const PAGES = {
  log: () => import("./log_page.js"),
  save: () => import("./log_page.js"),
  module: () => import("./module_page.js"),
  terrain: () => import("./terrain_page.js"),
  scenario: () => import("./scenario_page.js"),
};

try {
  const file = await get("/file");
  $("name").textContent = file.title || file.name;
  document.title = file.title || file.name;
  const handlers = {};
  const board = new Board($("place"), handlers);
  const page = await PAGES[file.kind]();
  window.hexmarshal = await page.open(file, board, handlers);
  await board.known;
  document.body.dataset.ready = "yes";
} catch (error) {
  say(error.message, "error");
}
