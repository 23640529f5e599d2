// A scenario: its table and what the rules have against it.

import { get } from "../shared/api.js";
import { $, h, put, tabs } from "../shared/dom.js";

export async function open(file, board, handlers) {
  const units = h("section", { id: "units" });
  const about = h("section", { id: "info" });
  $("panels").append(about, units);
  const pick = tabs($("tabs"), { about: { title: "Scenario", element: about }, units: { title: "Units", element: units } });
  pick("about");
  $("about").textContent = [file.game, file.name].join(" · ");
  put(about, h("h2", {}, file.title || file.name),
    h("p", {}, h("span", { class: `badge ${file.wrong.length ? "bad" : "good"}` }, file.wrong.length ? `${file.wrong.length} things are wrong` : "nothing is wrong with it")),
    file.wrong.map((w) => h("div", { class: "why" }, w.text, h("br"), h("small", {}, w.place, w.hint ? ` · ${w.hint}` : ""))), file.notes.map((n) => h("p", { class: "dim" }, n)));
  board.tell("Setting up the table …");
  const table = await get("/tables/0");
  board.tell("");
  handlers.piece = (piece) => { board.markPieces("chosen", [piece.id]); board.tell(piece.title); };
  await board.show(table);
  const sides = {};
  for (const piece of table.pieces) if (piece.what === "unit") (sides[piece.side ?? ""] ??= []).push(piece);
  put(units, Object.entries(sides).map(([side, list]) => h("details", { open: true }, h("summary", {}, h("b", {}, file.sides[side] ?? side), ` (${list.length})`),
    h("div", { class: "choices" }, list.map((p) => h("button", { type: "button", onclick: () => { board.markPieces("chosen", [p.id]); board.look([{ x: p.x, y: p.y }]); } }, p.title, p.cell ? h("small", {}, p.cell) : ""))))));
  return { file, board, table };
}
