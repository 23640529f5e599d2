// A file in the browser: which page it gets depends on what it is.

import { get } from "./api.js";
import { Board } from "./board.js";
import { $, say } from "./dom.js";

const PAGES = {
  log: () => import("./view_log.js"),
  save: () => import("./view_log.js"),
  module: () => import("./view_module.js"),
  terrain: () => import("./view_terrain.js"),
  scenario: () => import("./view_scenario.js"),
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
