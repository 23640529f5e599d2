// What a click on the map or on a counter means: a choice, a question, or the beginning of a move.

import { ask, plain, record } from "../shared/api.js";
import { $, h, put } from "../shared/dom.js";
import { told, words } from "../shared/words.js";

export class Clicks {
  /** `match` is the table that is clicked on. */
  constructor(match) { this.match = match; }

  forget() { put($("piece")); this.match.board.clear("reach"); }

  async cell(name) {
    if (this.match.tab === "sight" && this.match.sight?.cell(name)) return;
    if (this.match.live && await this.match.builder.offered("cell", name)) return;
    if (this.match.live && await this.march(name)) return;
    this.match.board.markCells("cursor", [{ cell: name, kind: "cursor" }]);
    await this.describe(name);
  }

  /** A click into the reach of a unit begins its move there. */
  async march(cell) {
    const reached = (this.match.board.layers.get("reach")?.cells ?? []).some((entry) => entry.cell === cell);
    const kind = this.can?.find((k) => this.match.game.actionsByName[k].params.some((p) => p.type === "PARAM_TYPE_PATH"));
    if (!reached || !kind || this.match.builder.found?.slot !== "kind") return false;
    put($("piece"));
    await this.match.builder.beginWith(kind, this.picked);
    await this.match.builder.offered("cell", cell);
    return true;
  }

  async piece(piece) {
    if (this.match.tab === "sight" && piece.cell && this.match.sight?.cell(piece.cell)) return;
    this.match.pick("do");
    if (this.match.live && piece.what === "unit" && await this.match.builder.offered("unit", piece.id)) return;
    if (this.match.live && piece.what === "marker" && await this.match.builder.offered("marker", piece.id)) return;
    if (this.match.live && piece.cell && this.match.builder.found?.slot !== "kind" && await this.match.builder.offered("cell", piece.cell)) return;
    this.card(piece);
    if (piece.what !== "unit" || !this.match.live) return;
    this.picked = piece.id;
    const kinds = (this.can = await this.match.builder.kindsFor(piece.id));
    const place = $("can");
    if (place) {
      put(place, kinds.length ? kinds.map((kind) => h("button", { type: "button", "data-begin": kind, onclick: () => { put($("piece")); this.match.builder.beginWith(kind, piece.id); } }, this.match.titles[kind])) : h("span", { class: "dim" }, "nothing to do now"));
    }
    this.reach(piece.id);
  }

  /** What is known of a piece. */
  card(piece) {
    const unit = this.match.units.get(piece.id);
    const kind = unit && this.match.game.typesByKey[unit.type];
    const values = { ...(plain(kind?.values) ?? {}), ...(plain(unit?.values) ?? {}) };
    const rows = unit ? [["side", this.match.sides[unit.side] ?? unit.side], ["place", unit.cell || unit.box || unit.carrier || ""], ["steps", unit.steps ?? 1],
      ["facing", unit.facing], ["state", (unit.flags ?? []).map(words).join(", ")], ...Object.entries(values).map(([k, v]) => [words(k), told(v)])] : [];
    this.match.board.markPieces("chosen", [piece.id]);
    const face = piece.face ? h("img", { alt: "", width: piece.face[1], height: piece.face[2] }) : "";
    if (face) face.src = piece.face[0];
    put($("piece"), h("div", { class: "card" }, h("div", { class: "row" }, face, h("h3", {}, piece.title)), h("div", { class: "row", id: "can" }),
      h("details", {}, h("summary", {}, "values"), h("table", {}, h("tbody", {}, rows.filter(([, v]) => v !== undefined && v !== "" && v !== "none").map(([k, v]) => h("tr", {}, h("th", { scope: "row" }, k), h("td", {}, String(v)))))))));
  }

  /** Where a unit may go, with what it costs. */
  async reach(id) {
    const asked = this.match.game.queriesByName.reach;
    const param = asked?.params?.find((p) => /UNITS?$/.test(p.type));
    if (!param) return;
    const given = param.type.endsWith("UNITS") ? [id] : id;
    const answer = await ask("SightService/Reach", { match: this.match.builder.source.match, params: record({ [param.name]: given }) });
    if (!answer || this.match.builder.begun.kind) return;
    this.match.board.markCells("reach", (answer.cells ?? []).map((c) => ({ cell: c.cell, kind: "reach", label: label(plain(c.cost)) })));
  }

  async describe(name) {
    const here = this.match.table.pieces.filter((p) => p.cell === name);
    const facts = plain((this.match.position.cells ?? {})[name]) ?? {};
    const text = [`${name}`, ...Object.entries(facts).map(([k, v]) => `${words(k)} ${told(v)}`)].join(" · ");
    put($("piece"), h("div", { class: "card" }, h("h3", {}, text),
      here.map((p) => h("button", { type: "button", onclick: () => this.piece(p) }, p.title)), h("div", { id: "ground" })));
    const asked = Object.values(this.match.game.queriesByName).find((q) => /^(hex|cell|terrain)$/.test(q.name) && (q.params ?? []).length && q.params[0].type === "PARAM_TYPE_CELL");
    if (!asked) return;
    const found = await ask("RulesService/Query", { match: this.match.builder.source.match, name: asked.name, params: record({ [asked.params[0].name]: name }) });
    if ($("ground") && found?.answer) put($("ground"), h("table", {}, h("tbody", {}, Object.entries(plain(found.answer.values) ?? {}).map(([k, v]) => h("tr", {}, h("th", { scope: "row" }, words(k)), h("td", {}, told(v)))))));
  }

  point(name) {
    if (!name) { this.match.board.tell(""); return; }
    const refused = (this.match.builder.found?.refused ?? []).find((r) => plain(r.value) === name);
    const titles = this.match.table?.pieces.filter((p) => p.cell === name).map((p) => p.title) ?? [];
    this.match.board.tell([name, ...titles.slice(0, 4), refused ? `not here: ${refused.violations?.[0]?.text ?? ""}` : ""].filter(Boolean).join(" · "));
  }
}

const label = (value) => (value && typeof value === "object" ? told(value.cost ?? value.total ?? Object.values(value)[0]) : told(value));
