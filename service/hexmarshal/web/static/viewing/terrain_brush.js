// Terrain set by clicks: a draft that is undone, done again, and saved to the file.

import { get, post } from "../shared/api.js";
import { $, h, put, say } from "../shared/dom.js";

export class TerrainBrush {
  /** `page` gives: file, board, changed(facts). */
  constructor(page, element) {
    this.page = page;
    this.element = element;
    this.state = page.file;
    this.terrain = null; // a kind, "" for none, null to leave it as it is
    this.on = "cells";
    this.draw();
    document.addEventListener("keydown", (e) => this.#key(e));
    addEventListener("beforeunload", (e) => { if (this.state.unsaved) e.preventDefault(); });
  }

  get active() { return !this.element.hidden; }

  draw() {
    const { state } = this;
    if (state.locked) { put(this.element, h("p", { class: "why" }, state.locked)); return; }
    const swatch = (name) => h("span", { class: "swatch", style: { background: state.types[name]?.colour || "transparent" }, "aria-hidden": "true" });
    const kind = (value, text) => h("button", { type: "button", "data-terrain": value ?? "as it is", "aria-pressed": this.terrain === value, onclick: () => { this.terrain = value; this.draw(); } }, value && state.types[value]?.colour ? swatch(value) : "", text);
    const place = (value, text) => h("button", { type: "button", "data-on": value, "aria-pressed": this.on === value, onclick: () => { this.on = value; this.page.board.clear("side"); this.draw(); } }, text);
    const level = h("input", { type: "text", id: "level", size: "5", inputmode: "decimal", placeholder: "as it is", value: this.level ?? "", onchange: (e) => { this.level = e.target.value.trim(); } });
    const more = h("input", { type: "checkbox", id: "add", checked: Boolean(this.adding), onchange: (e) => { this.adding = e.target.checked; } });
    const fresh = h("input", { type: "text", id: "fresh", maxlength: "80", placeholder: "name", "aria-label": "another kind of terrain" });
    const declare = () => { const name = fresh.value.trim(); if (!name) return; this.terrain = name; this.declared = name; this.draw(); };
    fresh.addEventListener("keydown", (e) => e.key === "Enter" && declare());
    const names = [...new Set([...Object.keys(state.types), ...(this.declared && !(this.declared in state.types) ? [this.declared] : [])])];
    put(this.element,
      h("div", { class: "row", role: "group", "aria-label": "what is set" }, place("cells", "Hexes"), place("sides", "Hexsides")),
      h("p", { class: "dim" }, this.on === "cells" ? "Choose what to set, then click hexes." : "Choose what to set, then click near the side between two hexes."),
      h("div", { class: "choices", id: "kinds", role: "group", "aria-label": "terrain" }, this.on === "cells" ? kind(null, "as it is") : "", kind("", "nothing"), names.map((name) => kind(name, name))),
      h("div", { class: "row" }, fresh, h("button", { type: "button", id: "declare", onclick: declare }, "Another kind")),
      h("p", { class: "row" }, h("label", {}, more, " beside what is there"), this.on === "cells" ? h("label", {}, "level ", level) : ""),
      h("div", { class: "row" },
        h("button", { type: "button", id: "undo", disabled: !state.undo, title: state.undo, onclick: () => this.send("/undo") }, "Undo"),
        h("button", { type: "button", id: "redo", disabled: !state.redo, title: state.redo, onclick: () => this.send("/redo") }, "Do again"),
        h("button", { type: "button", class: "go", id: "save", disabled: !state.unsaved, onclick: () => this.save() }, "Save"),
        h("span", { id: "unsaved", class: `badge ${state.unsaved ? "warn" : "good"}`, role: "status" }, state.unsaved ? "not saved" : "as in the file")),
      h("div", { id: "conflict" }), h("div", { id: "set" }));
    if (this.at) this.sides(this.at);
  }

  /** What a click sets. */
  async click(name, event) {
    const { board } = this.page;
    if (this.on === "cells") {
      const change = { cells: [name] };
      if (this.terrain !== null) change.terrain = await this.#kinds(name);
      if (this.level) change.level = this.level;
      board.markCells("cursor", [{ cell: name, kind: "cursor" }]);
      this.at = name;
      if (change.terrain || change.level) await this.send("/change", change);
      else this.sides(name);
      return;
    }
    const side = event?.clientX !== undefined && event.type === "click" ? board.sideAt(event.clientX, event.clientY) : null;
    if (side) { board.drawLine("side", side.line, "path"); await this.side(...side.cells); return; }
    this.at = name;
    await this.sides(name);
  }

  async #kinds(name, other) {
    const wanted = this.terrain ? [this.terrain] : [];
    if (!this.adding || !wanted.length) return wanted;
    const facts = await get(`/cell?${new URLSearchParams({ at: name })}`);
    const there = other ? facts.neighbours[other] ?? [] : facts.terrain;
    return [...new Set([...there, ...wanted])];
  }

  async side(one, other) {
    if (this.terrain === null) { say("Choose what to set first.", "error"); return; }
    this.at = one;
    await this.send("/change", { cells: [one, other], terrain: await this.#kinds(one, other) });
  }

  /** The sides of a hex by name: for keys, and where a finger is too thick. */
  async sides(name) {
    const facts = await get(`/cell?${new URLSearchParams({ at: name })}`).catch(() => null);
    const place = $("set");
    if (!facts || !place) return;
    put(place, h("div", { class: "card" }, h("h2", {}, name), h("p", {}, [facts.terrain.join(", ") || "open", `level ${facts.level}`].join(" · ")),
      this.on === "sides" ? h("div", { class: "choices" }, Object.entries(facts.neighbours).map(([near, kinds]) =>
        h("button", { type: "button", "data-near": near, onclick: () => this.side(name, near).catch((e) => say(e.message, "error")) }, `to ${near}`, h("small", {}, kinds.join(", ") || "nothing")))) : ""));
  }

  async send(deed, change = {}) {
    const declare = Boolean(this.declared && change.terrain?.includes(this.declared));
    try {
      const answer = await post(deed, { ...change, declare, version: this.state.version });
      this.state = { ...this.state, ...answer };
      this.page.changed(answer);
      const where = document.activeElement?.id;
      this.draw();
      if (where) $(where)?.focus();
      return answer;
    } catch (error) {
      if (error.code === "changed-meanwhile") this.conflict(error);
      else say(error.message, "error");
      return null;
    }
  }

  async save() {
    if (await this.send("/save")) say("Saved.");
  }

  conflict(error) {
    put($("conflict"), h("div", { class: "why", role: "alert" }, h("p", {}, error.message),
      h("button", { type: "button", id: "take-in", onclick: async () => {
        const answer = await this.send("/take-in");
        if (!answer) return;
        const left = answer.left ?? [];
        put($("conflict"), h("p", { class: "why note" }, left.length ? `Taken in. Not made, because others changed the same: ${left.join("; ")}` : "Taken in; your changes are made to it, and not saved yet."));
      } }, "Take their file in")));
  }

  #key(e) {
    if (!this.active || !(e.ctrlKey || e.metaKey) || e.altKey) return;
    const key = e.key.toLowerCase();
    if (key === "z" && !e.target.matches("input")) this.send(e.shiftKey ? "/redo" : "/undo");
    else if (key === "s") this.save();
    else return;
    e.preventDefault();
  }
}
