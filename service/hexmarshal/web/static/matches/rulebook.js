// The rulebook beside the map, searchable.

import { all } from "../shared/api.js";
import { h, put, say } from "../shared/dom.js";

const STATUS = { RULE_STATUS_IMPLEMENTED: ["enforced", "good"], RULE_STATUS_ADVISORY: ["people decide", "warn"], RULE_STATUS_OUT_OF_SCOPE: ["left to people", "warn"] };
const SHOWN = 80;

export class Rulebook {
  constructor(element, game, show, read) {
    this.game = game; this.show = show;
    this.read = read ?? (() => all("GameService/ListRules", { game: this.game }, "rules"));
    this.search = h("input", { type: "search", placeholder: "search the rules", "aria-label": "search the rules", oninput: () => this.list() });
    this.count = h("small", { "aria-live": "polite" });
    this.found = h("div", {});
    put(element, h("div", { class: "row" }, this.search, this.count), this.found);
  }

  async load() {
    this.rules ??= this.read().catch((error) => { say(error.message, "error"); this.rules = null; return []; });
    this.known = await this.rules;
    this.list();
  }

  /** Show one rule. */
  async open(id) {
    this.show();
    await this.load();
    this.search.value = id;
    this.list();
  }

  list() {
    const asked = this.search.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
    const rules = (this.known ?? []).filter((r) => {
      const text = `${r.id} ${r.section ?? ""} ${r.title ?? ""} ${r.text ?? ""}`.toLowerCase();
      return asked.every((word) => text.includes(word));
    });
    rules.sort((a, b) => (b.id.toLowerCase() === asked[0]) - (a.id.toLowerCase() === asked[0]));
    this.count.textContent = `${rules.length} rules`;
    put(this.found, rules.slice(0, SHOWN).map((r) => {
      const [word, kind] = STATUS[r.status] ?? ["", ""];
      return h("article", { class: "card", id: `rule-${r.id}` },
        h("div", { class: "row" }, h("b", {}, r.id), r.section ? h("small", {}, r.section) : "", word ? h("span", { class: `badge ${kind}` }, word) : ""),
        h("h2", {}, r.title ?? ""), h("p", {}, r.text ?? ""),
        r.reading ? h("p", { class: "dim" }, "Our reading: ", r.reading) : "", r.why ? h("p", { class: "dim" }, r.why) : "");
    }), rules.length > SHOWN ? h("p", { class: "dim" }, `… and ${rules.length - SHOWN} more: search.`) : "");
  }
}
