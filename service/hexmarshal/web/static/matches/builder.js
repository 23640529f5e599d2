// Builds an action step by step, by what the rules say may be chosen next.

import { Refused, ask, call, plain, record, several } from "../shared/api.js";
import { $, h, put, say } from "../shared/dom.js";
import { cost, odds, odds_line, told, violations, words } from "../shared/words.js";

const LISTS = new Set(["UNITS", "CELLS", "PATH", "CARDS", "LIST"]);
const ON_MAP = { UNIT: "unit", UNITS: "unit", CELL: "cell", CELLS: "cell", PATH: "cell", MARKER: "marker" };
const SHOWN = 60;
const ODDS = 12;
const type = (param) => (param?.type ?? "").replace("PARAM_TYPE_", "");
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

export class Builder {
  /** `table` gives: match, side, version, game, board, units, submit(action), busy(). */
  constructor(table) {
    this.table = table;
    this.past = [];
    this.begun = { kind: "", params: {}, slot: "" };
    this.found = null;
    this.number = 0;
    this.firsts = new Map();
  }

  get kind() { return this.table.game.actionsByName[this.begun.kind]; }
  get param() { return this.kind?.params?.find((p) => p.name === this.found?.slot); }
  get source() { return { match: { match: this.table.match, side: this.table.side }, side: this.table.side }; }

  /** Forget what was begun, and ask anew. */
  async reset() {
    this.past = [];
    this.begun = { kind: "", params: {}, slot: "" };
    this.firsts.clear();
    this.refusal = [];
    await this.ask();
  }

  /** One choice back. */
  async back() {
    if (!this.past.length) return;
    this.begun = this.past.pop();
    this.refusal = [];
    await this.ask(true);
  }

  message(begun, reasons = false) {
    const message = { ...this.source, reasons };
    if (begun.kind) Object.assign(message, { kind: begun.kind, params: record(begun.params) });
    if (begun.slot) message.slot = begun.slot;
    return message;
  }

  request(begun, reasons = false) { return call("RulesService/NextChoices", this.message(begun, reasons)); }

  /** Ask what may be chosen next; what may be left out is passed over, and can be opened later. */
  async ask(stay = false) {
    const number = ++this.number;
    this.asking = true;
    this.table.busy(true);
    try {
      let found = await this.request(this.begun, true);
      while (!stay && found.slot && found.slot !== "kind" && found.ready && found.then && (this.#optional(found.slot) || !found.choices?.length)) {
        this.begun = { ...this.begun, slot: found.then };
        found = await this.request(this.begun, true);
      }
      if (number !== this.number) return;
      this.found = found;
      this.#sort();
      if (this.begun.kind) this.table.board.clear("reach");
      this.oddsOf = new Map();
      this.render();
      this.#odds(number);
    } catch (error) {
      if (number !== this.number) return;
      this.found = null;
      put($("builder"), h("p", { class: "dim" }, error.message));
      this.#unmark();
    } finally {
      if (number === this.number) this.asking = false;
      this.table.busy(false);
    }
  }

  /** Hexes where others are come first: they are what most people look for. */
  #sort() {
    if (ON_MAP[type(this.param)] !== "cell" || !this.found.choices) return;
    const held = new Set([...this.table.units.values()].filter((u) => u.side !== this.table.side).map((u) => u.cell));
    const there = this.found.choices.filter((c) => held.has(plain(c.value)));
    this.found.choices = [...there, ...this.found.choices.filter((c) => !there.includes(c))];
  }

  #optional(slot) {
    const param = this.kind?.params?.find((p) => p.name === slot);
    return param && !param.required && !(slot in this.begun.params) && this.opened !== slot;
  }

  /** Choose a value for the open slot. */
  async choose(value) {
    if (this.asking) return; // the second click of two: what it was on is answered already
    this.past.push(this.begun);
    this.refusal = [];
    if (this.found.slot === "kind") this.begun = { kind: value, params: {}, slot: "" };
    else {
      const params = { ...this.begun.params };
      if (LISTS.has(type(this.param))) params[this.found.slot] = [...(params[this.found.slot] ?? []), value];
      else params[this.found.slot] = value;
      this.begun = { ...this.begun, params, slot: LISTS.has(type(this.param)) ? this.found.slot : "" };
    }
    this.opened = "";
    await this.ask();
  }

  /** Leave the open slot as it is and go on to the next one. */
  async settle() {
    if (this.asking) return;
    this.past.push(this.begun);
    this.begun = { ...this.begun, slot: this.found.then };
    this.opened = "";
    await this.ask();
  }

  /** Open a slot that was passed over. */
  async open(slot) {
    this.past.push(this.begun);
    this.begun = { ...this.begun, slot };
    this.opened = slot;
    await this.ask(true);
  }

  /** A value was clicked on the map: choose it, or say why not. */
  async offered(kind, value) {
    const found = this.found;
    if (!found || this.asking || found.slot === "kind" || ON_MAP[type(this.param)] !== kind) return false;
    if ((found.choices ?? []).some((c) => same(plain(c.value), value))) { await this.choose(value); return true; }
    if (type(this.param) === "PATH" && await this.#goTo(value)) return true;
    const refused = (found.refused ?? []).find((r) => same(plain(r.value), value));
    this.refusal = refused?.violations ?? (await this.#checked(value));
    if (!this.refusal.length) this.refusal = [{ rule: "", text: `${told(value)} cannot be chosen here` }];
    this.render();
    return true;
  }

  /** The whole way to a far cell, where the game can find one. */
  async #goTo(cell) {
    const query = this.table.game.queriesByName.path;
    const to = query?.params?.find((p) => type(p) === "CELL");
    const who = query?.params?.find((p) => ON_MAP[type(p)] === "unit");
    const own = who && this.kind.params.find((p) => ON_MAP[type(p)] === "unit" && this.begun.params[p.name]);
    if (!to || !own || this.begun.params[this.found.slot]?.length) return false;
    const units = [this.begun.params[own.name]].flat();
    const params = { [who.name]: LISTS.has(type(who)) ? units : units[0], [to.name]: cell };
    const answer = await ask("SightService/FindPath", { match: this.source.match, params: record(params) });
    if (!answer?.found) return false;
    const from = this.table.units.get(units[0])?.cell;
    const path = answer.path[0] === from ? answer.path.slice(1) : answer.path;
    const begun = { ...this.begun, params: { ...this.begun.params, [this.found.slot]: path } };
    const found = await ask("RulesService/NextChoices", this.message(begun));
    if (!found) return false;
    if (found.verdict && !found.verdict.legal) {
      this.refusal = found.verdict.violations;
      this.render();
      return true;
    }
    this.past.push(this.begun);
    this.begun = begun;
    await this.ask();
    return true;
  }

  /** What the rules say of a value that they did not even list. */
  async #checked(value) {
    const many = LISTS.has(type(this.param));
    const params = { ...this.begun.params, [this.found.slot]: many ? [...(this.begun.params[this.found.slot] ?? []), value] : value };
    const message = { match: this.source.match, action: { kind: this.begun.kind, side: this.table.side, params: record(params) } };
    const [found] = await several([["RulesService/CheckAction", message]]).catch((error) => [error]);
    return found instanceof Error ? [{ rule: "", text: found.message }] : found.verdict?.violations ?? [];
  }

  /** The kinds of action that a unit could begin, from the rules' own answers. */
  async kindsFor(unit) {
    if (this.found?.slot !== "kind") return [];
    const kinds = this.found.choices.map((c) => plain(c.value));
    const first = (kind) => this.table.game.actionsByName[kind]?.params?.find((p) => p.required);
    const likely = kinds.filter((kind) => ON_MAP[type(first(kind))] === "unit");
    const fresh = likely.filter((kind) => !this.firsts.has(kind));
    const found = fresh.length ? await several(fresh.map((kind) => ["RulesService/NextChoices", this.message({ kind, params: {}, slot: first(kind).name })])).catch(() => []) : [];
    fresh.forEach((kind, i) => this.firsts.set(kind, found[i]));
    const begins = (kind) => {
      const answer = this.firsts.get(kind);
      return answer?.slot === first(kind).name && (answer.choices ?? []).some((c) => plain(c.value) === unit);
    };
    return likely.filter(begins);
  }

  /** Begin a kind of action with a unit. */
  async beginWith(kind, unit) {
    const first = this.table.game.actionsByName[kind].params.find((p) => p.required);
    this.past.push(this.begun);
    this.refusal = [];
    this.opened = "";
    this.begun = { kind, params: { [first.name]: LISTS.has(type(first)) ? [unit] : unit }, slot: LISTS.has(type(first)) ? first.name : "" };
    await this.ask();
  }

  // Showing

  #unmark() { this.table.board.clear("choosable", "choices", "refusals", "chosen", "way"); }

  render() {
    const { found, table } = this;
    const { board } = table;
    this.#unmark();
    const param = this.param;
    const form = ON_MAP[type(param)];
    const choices = (found.choices ?? []).map((c) => ({ value: plain(c.value), cost: cost(c.cost) }));
    if (form === "cell") {
      board.markCells("refusals", (found.refused ?? []).map((r) => ({ cell: plain(r.value), kind: "refused" })));
      board.markCells("choices", choices.map((c) => ({ cell: c.value, kind: "choice", label: c.cost.split(" ")[0] })));
    } else if (form) board.markPieces("choosable", choices.map((c) => c.value));
    else if (found.slot === "kind") board.markPieces("choosable", []);
    const chosen = Object.entries(this.begun.params).flatMap(([name, value]) => {
      const of = this.kind?.params?.find((p) => p.name === name);
      return ON_MAP[type(of)] === "unit" ? [value].flat() : [];
    });
    board.markPieces("chosen", chosen);
    const path = this.kind?.params?.find((p) => type(p) === "PATH");
    const way = path && this.begun.params[path.name];
    if (way?.length) {
      const from = table.units.get(chosen[0])?.cell;
      board.drawLine("way", from ? [from, ...way] : way, "way");
    }
    const chips = this.begun.kind ? h("div", { class: "chips" },
      h("span", { class: "chip" }, h("b", {}, this.kind?.title ?? words(this.begun.kind))),
      Object.entries(this.begun.params).map(([name, value]) => h("span", { class: "chip" }, words(name), ": ", told(value)))) : "";
    const bill = cost(found.verdict?.cost);
    const ends = found.complete ? h("div", { class: "row" },
      h("button", { type: "button", class: "go", id: "confirm", onclick: () => { this.#holdFocus(); table.submit(found.action); } }, "Confirm"),
      bill ? h("span", { class: "badge" }, bill) : "") : "";
    const steps = h("div", { class: "row" },
      found.ready && found.then && found.slot !== "kind" ? h("button", { type: "button", id: "settle", onclick: () => this.settle() }, `Go on to ${words(found.then)}`) : "",
      this.begun.kind ? [h("button", { type: "button", id: "one-back", onclick: () => this.back() }, "Back"),
        h("button", { type: "button", id: "reset", onclick: () => this.reset() }, "Start over")] : "");
    this.#holdFocus();
    put($("builder"), chips, this.#question(found, param, choices), ends, steps, this.#passed(found),
      h("div", { id: "odds" }), violations(this.refusal), found.complete || choices.length || found.free ? "" : violations(found.verdict && !found.verdict.legal ? found.verdict.violations : []),
      violations(found.verdict?.notes, "note"));
    for (const node of document.querySelectorAll("#builder [data-value]")) {
      const value = JSON.parse(node.dataset.value);
      node.addEventListener("pointerenter", () => form === "cell" && board.markCells("cursor", [{ cell: value, kind: "cursor" }]));
    }
    this.#showOdds();
    this.#passFocusOn();
  }

  /** Who goes by keys goes on where he was, though what had the focus is replaced. */
  #holdFocus() { if ($("builder").querySelector(":focus-visible")) this.keyed = true; }

  #passFocusOn() {
    const next = $("builder").querySelector("#kinds button, #values button, #free, #confirm, #settle, #reset");
    if (!this.keyed || !next || document.activeElement !== document.body) return;
    this.keyed = false;
    next.focus();
  }

  #question(found, param, choices) {
    if (!found.slot) return "";
    if (found.slot === "kind") {
      if (!choices.length) return "";
      return [h("h3", {}, "What to do"), h("p", { class: "dim" }, "Choose here, or click one of your units."),
        h("div", { class: "choices", id: "kinds" }, choices.map((c) => {
          const kind = this.table.game.actionsByName[c.value];
          return h("button", { type: "button", "data-kind": c.value, title: kind?.doc ?? "", onclick: () => this.choose(c.value) }, kind?.title ?? words(c.value));
        }))];
    }
    const titles = this.table.unitTitles;
    const shown = choices.slice(0, SHOWN);
    const label = (value) => (typeof value === "string" && titles.has(value) ? titles.get(value) : told(value));
    return [
      h("h3", {}, words(found.slot), param?.required ? "" : h("small", {}, " (may be left out)")),
      h("p", { class: "dim" }, param?.doc ?? ""),
      found.free ? this.#free(param) : "",
      h("div", { class: "choices", id: "values" }, shown.map((c) => h("button", {
        type: "button", "data-value": JSON.stringify(c.value), onclick: () => this.choose(c.value),
      }, label(c.value), c.cost ? h("small", {}, c.cost) : ""))),
      choices.length || found.free ? "" : h("p", { class: "why", id: "none" }, "Nothing can be chosen here now."),
      choices.length > shown.length ? h("p", { class: "dim" }, `… and ${choices.length - shown.length} more: click on the map.`) : "",
      (found.refused ?? []).length ? h("details", {}, h("summary", {}, `${found.refused.length} not allowed`),
        found.refused.slice(0, SHOWN).map((r) => h("div", {}, h("b", {}, label(plain(r.value))), violations(r.violations)))) : "",
    ];
  }

  #free(param) {
    const input = h("input", { type: type(param) === "INT" ? "number" : "text", id: "free", "aria-label": words(this.found.slot) });
    const give = () => {
      if (input.value === "") { say("Give a value first.", "error"); return; }
      const whole = /^-?\d+$/.test(input.value) && type(param) !== "TEXT";
      this.choose(whole ? Number(input.value) : input.value);
    };
    input.addEventListener("keydown", (e) => e.key === "Enter" && give());
    return h("div", { class: "row" }, input, h("button", { type: "button", onclick: give }, "Give"));
  }

  /** Slots that may still be said something about. */
  #passed(found) {
    const open = (this.kind?.params ?? []).filter((p) => !p.required && !(p.name in this.begun.params) && p.name !== found.slot);
    if (!open.length) return "";
    return h("details", {}, h("summary", {}, "Further choices"), h("div", { class: "chips" },
      open.map((p) => h("button", { type: "button", class: "quiet", title: p.doc ?? "", onclick: () => this.open(p.name) }, `+ ${words(p.name)}`))));
  }

  // Odds

  /** The question about odds that is meant for this kind of action: named after it, or like it in most of what it takes. */
  #query() {
    const queries = this.table.game.queriesByName;
    if (queries[`${this.begun.kind}_odds`]) return queries[`${this.begun.kind}_odds`];
    const params = queries.odds?.params ?? [];
    const names = new Set((this.kind?.params ?? []).map((p) => p.name));
    const shared = params.filter((p) => names.has(p.name));
    const placed = shared.filter((p) => ON_MAP[type(p)]);
    const fits = placed.length > 1 && 2 * shared.length >= params.length && params.every((p) => !p.required || names.has(p.name));
    return fits ? queries.odds : null;
  }

  async #odds(number) {
    const query = this.#query();
    if (!query) return;
    const known = new Set((query.params ?? []).map((p) => p.name));
    const needed = (query.params ?? []).filter((p) => p.required).map((p) => p.name);
    const question = (params) => ["RulesService/Query", { match: this.source.match, name: query.name,
      params: record(Object.fromEntries(Object.entries(params).filter(([name]) => known.has(name)))) }];
    const whole = (params) => needed.every((name) => name in params);
    const { slot } = this.found;
    const tries = [];
    if (known.has(slot) && ON_MAP[type(this.param)]) {
      const many = LISTS.has(type(this.param));
      for (const choice of (this.found.choices ?? []).slice(0, ODDS)) {
        const value = plain(choice.value);
        tries.push([JSON.stringify(value), { ...this.begun.params, [slot]: many ? [...(this.begun.params[slot] ?? []), value] : value }]);
      }
    }
    tries.push(["", this.begun.params]);
    const wanted = tries.filter(([, params]) => whole(params));
    if (!wanted.length) return;
    const found = await several(wanted.map(([, params]) => question(params))).catch(() => []);
    if (number !== this.number) return;
    wanted.forEach(([value], i) => {
      const answer = found[i] instanceof Refused ? null : found[i]?.answer;
      if (!answer?.distribution) return;
      if (value) this.oddsOf.set(value, answer); else this.oddsHere = answer;
    });
    this.#showOdds();
  }

  #showOdds() {
    for (const node of document.querySelectorAll("#values [data-value]")) {
      const answer = this.oddsOf.get(node.dataset.value);
      if (answer && !node.querySelector(".odds")) node.append(h("small", { class: "odds" }, odds_line(answer.distribution)));
    }
    const place = $("odds");
    if (place && this.oddsHere) put(place, h("h3", {}, "Odds"), odds(this.oddsHere.distribution));
    if (place && !this.found?.slot && !this.oddsHere) put(place);
    this.oddsHere = null;
  }
}
