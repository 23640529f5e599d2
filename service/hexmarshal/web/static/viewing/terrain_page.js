// A terrain file: click a hex, see what it is, what is seen from it, what is in reach; set what it is.

import { get } from "../shared/api.js";
import { $, h, put, say, tabs } from "../shared/dom.js";
import { TerrainBrush } from "./terrain_brush.js";

class TerrainPage {
  constructor(file, board, handlers) {
    this.file = file; this.board = board; this.mode = "field";
    const part = (id) => h("section", { id });
    this.parts = { hex: part("hex"), edit: part("edit"), types: part("types") };
    $("panels").append(...Object.values(this.parts));
    this.pick = tabs($("tabs"), { hex: { title: "Hex", element: this.parts.hex }, edit: { title: "Edit", element: this.parts.edit }, types: { title: "Terrain", element: this.parts.types } }, (name) => { board.clear(); if (name === "hex") this.again(); });
    this.pick("hex");
    $("about").textContent = file.name;
    this.allowance = h("input", { type: "number", id: "allowance", min: "0", max: "99", value: "4", onchange: () => this.again() });
    this.march = h("select", { id: "march", onchange: () => this.again() }, file.modes.map((m) => h("option", { value: m }, m)));
    this.answer = h("div", { id: "answer", "aria-live": "polite" });
    const mode = (name, text) => h("button", { type: "button", "data-mode": name, "aria-pressed": this.mode === name, onclick: () => this.turn(name) }, text);
    this.modes = h("div", { class: "row", role: "group", "aria-label": "what to show" }, mode("field", "Field of view"), mode("line", "Line of sight"), mode("reach", "Reach"));
    put(this.parts.hex, this.modes, h("p", { class: "row" }, h("label", {}, "points ", this.allowance), h("label", {}, "by ", this.march)), h("p", { class: "dim" }, "Click a hex; for a line, two of them."), this.answer);
    this.brush = new TerrainBrush(this, this.parts.edit);
    this.types();
    handlers.cell = (name, event) => (this.brush.active ? this.brush.click(name, event) : this.cell(name)).catch((error) => say(error.message, "error"));
    handlers.point = (name) => board.tell(name ?? "");
  }

  types() {
    put(this.parts.types, h("table", {}, h("thead", {}, h("tr", {}, ["terrain", "sight", "height", "cost"].map((t) => h("th", { scope: "col" }, t)))), h("tbody", {}, Object.entries(this.file.types).map(([name, t]) =>
      h("tr", {}, h("td", {}, name), h("td", {}, t.sight), h("td", {}, t.height), h("td", {}, Object.entries(t.cost).map(([m, c]) => `${m} ${c}`).join(", ")))))));
  }

  /** The draft is another now. */
  changed({ maps, types }) {
    Object.assign(this.file, { maps, types });
    this.types();
    this.board.lookAnew(maps[0]);
  }

  turn(mode) {
    this.mode = mode; this.from = null;
    for (const b of this.modes.children) b.setAttribute("aria-pressed", b.dataset.mode === mode);
    this.board.clear();
    this.again();
  }

  again() { if (this.at) this.cell(this.at).catch((error) => say(error.message, "error")); }

  async cell(name) {
    this.at = name;
    const facts = await get(`/cell?${new URLSearchParams({ at: name })}`);
    const rows = [["level", facts.level], ["terrain", facts.terrain.join(", ") || "open"], ["paths", facts.paths.join(", ")], ...Object.entries(facts.sides).map(([k, v]) => [k, v.join(", ")])];
    const told = h("div", { class: "card" }, h("h2", {}, name), h("table", {}, h("tbody", {}, rows.filter(([, v]) => v).map(([k, v]) => h("tr", {}, h("th", { scope: "row" }, k), h("td", {}, v))))));
    this.board.clear();
    this.board.markCells("cursor", [{ cell: name, kind: "cursor" }]);
    let more = "";
    if (this.mode === "field") {
      const { seen } = await get(`/field?${new URLSearchParams({ from: name })}`);
      const clear = new Set([...seen, name]);
      this.board.markCells("sight", [...this.board.cells.keys()].map((cell) => ({ cell, kind: clear.has(cell) ? "seen" : "unseen" })));
      more = h("p", {}, `${clear.size - 1} hexes are seen from here.`);
    } else if (this.mode === "reach") {
      const { costs } = await get(`/reach?${new URLSearchParams({ from: name, allowance: this.allowance.value, mode: this.march.value })}`);
      this.board.markCells("reach", Object.entries(costs).map(([cell, cost]) => ({ cell, kind: "reach", label: cost })));
      more = h("p", {}, `${Object.keys(costs).length - 1} hexes are in reach.`);
    } else if (this.from && this.from !== name) {
      const sight = await get(`/sight?${new URLSearchParams({ from: this.from, to: name })}`);
      this.board.drawLine("line", [this.from, name], sight.visible ? "clear" : "bar");
      this.board.markCells("blocked", sight.blocked.filter((c) => this.board.cells.has(c)).map((cell) => ({ cell, kind: "blocked" })));
      more = [h("p", {}, h("span", { class: `badge ${sight.visible ? "good" : "bad"}` }, sight.visible ? "clear" : "blocked"), ` ${this.from} to ${name}, range ${sight.range}`, sight.hindrance ? `, hindrance ${sight.hindrance}` : ""), h("ul", {}, sight.reasons.map((r) => h("li", {}, r)))];
      this.from = null;
    } else { this.from = name; more = h("p", { class: "dim" }, "… and a second hex."); }
    put(this.answer, told, more);
  }
}

export async function open(file, board, handlers) {
  const page = new TerrainPage(file, board, handlers);
  await board.show({ maps: file.maps, pieces: [] });
  return page;
}
