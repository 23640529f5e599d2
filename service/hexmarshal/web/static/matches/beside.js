// What lies beside the maps: tracks, cards, and units in boxes.

import { $, h, put } from "../shared/dom.js";
import { words } from "../shared/words.js";

/** Show it in the panel. */
export function showBeside(match) {
  const p = match.position;
  const boxes = {};
  for (const unit of p.units ?? []) if (!unit.cell && unit.box) (boxes[unit.box] ??= []).push(unit);
  const named = (list) => Object.fromEntries((list ?? []).map((x) => [x.key, x.title || words(x.key)]));
  const tracks = named(match.game.tracks), titles = named(match.game.boxes);
  const table = (title, rows) => rows.length ? h("details", { open: rows.length < 12 }, h("summary", {}, h("b", {}, title)), h("table", {}, h("tbody", {}, rows.map(([k, v]) => h("tr", {}, h("th", { scope: "row" }, k), h("td", {}, v)))))) : "";
  put($("rest"),
    h("p", {}, "You sit at ", h("b", {}, match.sides[match.side] ?? (match.side || "no side")), "."),
    table("Tracks", Object.entries(p.tracks ?? {}).map(([k, v]) => [tracks[k] ?? words(k), String(v)])),
    table("Cards and cups", (p.piles ?? []).filter((x) => x.cards?.length).map((x) => [words(x.name), x.cards.every((c) => c === "?") ? `${x.cards.length} unseen` : x.cards.map(words).join(", ")])),
    ...Object.entries(boxes).map(([box, units]) => h("details", {}, h("summary", {}, h("b", {}, titles[box] ?? words(box)), ` (${units.length})`),
      h("div", { class: "choices" }, units.map((u) => h("button", { type: "button", "data-unit": u.id, onclick: () => match.piece(match.table.pieces.find((x) => x.id === u.id) ?? { id: u.id, what: "unit", title: `${u.id}: ${match.game.typesByKey[u.type]?.title ?? u.type}` }) }, u.id))))),
    h("p", {}, h("a", { href: "/" }, "All matches")));
}
