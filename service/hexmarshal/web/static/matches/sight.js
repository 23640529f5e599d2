// Lines of sight and fields of view, by the game's own queries.

import { call, plain, record } from "../shared/api.js";
import { h, put } from "../shared/dom.js";
import { rule, told } from "../shared/words.js";

const cells = (query) => (query?.params ?? []).filter((p) => p.type === "PARAM_TYPE_CELL").map((p) => p.name);

export class Sight {
  constructor(match, element) {
    this.match = match; this.element = element;
    const queries = match.game.queriesByName;
    this.line = cells(queries.sight).length > 1 ? cells(queries.sight) : null;
    this.field = cells(queries.visible).length ? cells(queries.visible) : null;
    this.mode = this.line ? "line" : this.field ? "field" : "";
    this.render();
  }

  clear() { this.from = null; this.match.board.clear("sight-cells", "sight-line", "cursor"); }

  render(...found) {
    if (!this.mode) { put(this.element, h("p", { class: "dim" }, "This game has no question about sight.")); return; }
    const mode = (name, text) => h("button", { type: "button", "aria-pressed": this.mode === name, class: this.mode === name && "go", onclick: () => { this.clear(); this.mode = name; this.render(); } }, text);
    put(this.element, h("div", { class: "row", role: "group", "aria-label": "what to ask" }, this.line ? mode("line", "Line of sight") : "", this.field ? mode("field", "Field of view") : ""),
      h("p", { class: "dim" }, this.mode === "field" ? "Click a hex to see what is seen from it." : this.from ? `From ${this.from} to … click a second hex.` : "Click two hexes."), ...found);
  }

  /** A hex was clicked; whether it was meant for us. */
  cell(name) {
    if (!this.mode) return false;
    if (this.mode === "field") this.#field(name);
    else if (!this.from) {
      this.clear();
      this.from = name;
      this.match.board.markCells("cursor", [{ cell: name, kind: "cursor" }]);
      this.render();
    } else { this.#line(this.from, name); this.from = null; }
    return true;
  }

  async #line(from, to) {
    const { board, builder } = this.match;
    try {
      const answer = await call("SightService/LineOfSight", { match: builder.source.match, params: record({ [this.line[0]]: from, [this.line[1]]: to }) });
      const blocked = blockers(plain(answer.blockedBy), board);
      board.markCells("sight-cells", [...(answer.trace ?? []).map((cell) => ({ cell, kind: "trace" })), ...blocked.map((cell) => ({ cell, kind: "blocked" }))]);
      board.drawLine("sight-line", [from, to], answer.visible ? "clear" : "bar");
      this.render(h("p", {}, h("span", { class: `badge ${answer.visible ? "good" : "bad"}`, id: "seen" }, answer.visible ? "clear" : "blocked"), ` from ${from} to ${to}`),
        !answer.visible && answer.blockedBy ? h("p", {}, "blocked by ", told(plain(answer.blockedBy))) : "", steps(answer.answer));
    } catch (error) { this.render(h("p", { class: "why" }, error.message)); }
  }

  async #field(from) {
    const { board, builder } = this.match;
    try {
      const answer = await call("SightService/VisibleCells", { match: builder.source.match, params: record({ [this.field[0]]: from }) });
      const seen = new Set(answer.cells ?? []);
      board.markCells("sight-cells", [...board.cells.keys()].map((cell) => ({ cell, kind: seen.has(cell) || cell === from ? "seen" : "unseen" })));
      board.markCells("cursor", [{ cell: from, kind: "cursor" }]);
      this.render(h("p", {}, h("b", { id: "seen" }, `${seen.size}`), ` hexes are seen from ${from}.`), steps(answer.answer));
    } catch (error) { this.render(h("p", { class: "why" }, error.message)); }
  }
}

function blockers(value, board) {
  if (typeof value === "string") return board.cells?.has(value) ? [value] : (value.match(/[\w-]+/g) ?? []).filter((word) => board.cells?.has(word));
  if (Array.isArray(value)) return value.flatMap((v) => blockers(v, board));
  if (value && typeof value === "object") return Object.values(value).flatMap((v) => blockers(v, board));
  return [];
}

function steps(answer) {
  const list = answer?.steps ?? [];
  return list.length ? h("ul", {}, list.map((s) => h("li", {}, s.text, " ", rule(s.rule)))) : "";
}
