// The table of a match: what a seat sees, does, and is told.

import { Board } from "../board/board.js";
import { Refused, call, get, post, watch } from "../shared/api.js";
import { $, h, put, say, tabs } from "../shared/dom.js";
import { happened, violations, words } from "../shared/words.js";
import { showBeside } from "./beside.js";
import { Builder } from "./builder.js";
import { Clicks } from "./clicks.js";
import { Rulebook } from "./rulebook.js";
import { Sight } from "./sight.js";

const query = new URLSearchParams(location.search);
const RANDOM_WAIT = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 350;

class Match {
  constructor() {
    this.match = query.get("match") ?? "";
    this.mine = (query.get("side") ?? "").split(",").filter(Boolean);
    this.random = (query.get("random") ?? "").split(",").filter(Boolean);
    this.side = this.mine[0] ?? "";
    this.units = new Map();
    this.unitTitles = new Map();
    this.events = [];
    this.board = new Board($("place"), {
      cell: (name) => this.cell(name),
      piece: (piece) => this.piece(piece),
      point: (name) => this.clicks.point(name),
      nowhere: () => this.clicks.forget(),
    });
    this.clicks = new Clicks(this);
    this.builder = new Builder(this);
    this.pick = tabs($("tabs"), {
      do: { title: "Play", element: $("do") },
      told: { title: "History", element: $("told") },
      rest: { title: "Table", element: $("rest") },
      sight: { title: "Sight", element: $("sight") },
      rules: { title: "Rules", element: $("rules") },
    }, (name) => { this.tab = name; if (name !== "sight") this.sight?.clear(); if (name === "rules") this.rulebook?.load(); });
    this.pick("do");
  }

  /** Count what goes on: while anything does, what the panel offers may be gone in a moment. */
  busy(on) {
    this.going = (this.going ?? 0) + (on ? 1 : -1);
    document.body.classList.toggle("busy", this.going > 0);
    $("builder").setAttribute("aria-busy", this.going > 0);
  }

  async begin() {
    if (!this.match) { location.replace("/"); return; }
    try {
      await this.look();
      const active = this.position.active ?? [];
      const other = this.mine.find((side) => active.includes(side));
      if (other && !active.includes(this.side)) { this.side = other; $("seat").value = other; await this.look(); }
    } catch (error) {
      if (error instanceof Refused && error.code === "permission_denied" && this.side) { this.offer(error); return; }
      if (error instanceof Refused && error.code === "unauthenticated") { location.href = "/"; return; }
      this.failed(error);
      return;
    }
    this.rulebook = new Rulebook($("rules"), this.table.match.game, () => this.pick("rules"));
    this.sight = new Sight(this, $("sight"));
    await this.remember();
    const wanted = Number(new URLSearchParams(location.hash.slice(1)).get("v"));
    if (location.hash.includes("v=") && wanted < this.newest) await this.go(wanted);
    else await this.ask();
    this.watch();
    await this.board.known;
    document.body.dataset.ready = "yes";
  }

  /** There is nothing to show: say why, and where to go from here. */
  failed(error) {
    const gone = error instanceof Refused && error.code === "unavailable";
    $("name").textContent = document.title = gone ? "The server does not answer" : "There is no such match";
    for (const part of [$("undo"), document.querySelector(".table > footer")]) part.hidden = !gone;
    this.board.tell("");
    put($("prompt"), h("div", { class: "card" }, h("p", { class: "why" }, error.message),
      gone ? h("p", { class: "dim" }, "It is asked again in a moment.") : h("p", {}, h("a", { href: "/" }, "All matches"))));
    if (gone) setTimeout(() => this.begin(), 1500);
  }

  /** A seat that is not the caller's may be one that nobody has taken yet. */
  offer(error) {
    put($("prompt"), h("div", { class: "card" }, h("h2", {}, "This seat is not yours"), h("p", { class: "dim" }, error.message),
      h("button", { type: "button", class: "go", id: "take", onclick: async () => {
        try {
          await call("LobbyService/JoinMatch", { match: this.match, side: this.side, invitation: query.get("invitation") ?? "" });
          await this.begin();
        } catch (why) { say(why.message, "error"); }
      } }, "Take this seat")));
    this.board.tell("");
  }

  /** The match from the seat, at its newest. */
  async look(version) {
    const number = (this.looking = (this.looking ?? 0) + 1);
    if (version === undefined && !this.table) this.board.tell("Setting up the table …");
    const q = new URLSearchParams({ side: this.side });
    if (version !== undefined) q.set("version", version);
    const table = await get(`/table/${encodeURIComponent(this.match)}?${q}`);
    if (number !== this.looking) return;
    if (!this.game) await this.declare(table.match.game);
    this.table = table;
    this.version = Number(table.version);
    this.newest = Number(table.newest);
    this.position = table.match.position;
    this.units = new Map((this.position.units ?? []).map((unit) => [unit.id, unit]));
    this.unitTitles = new Map(table.pieces.filter((p) => p.what !== "piece").map((p) => [p.id, p.title]));
    this.board.tell("");
    await this.board.show(table);
    this.head();
    showBeside(this);
  }

  async declare(key) {
    this.game = (await call("GameService/GetGame", { game: key })).game;
    const named = (list, field = "name") => Object.fromEntries((list ?? []).map((x) => [x[field], x]));
    this.game.actionsByName = named(this.game.actions);
    this.game.queriesByName = named(this.game.queries);
    this.game.typesByKey = named(this.game.unitTypes, "key");
    this.titles = Object.fromEntries((this.game.actions ?? []).map((a) => [a.name, a.title || words(a.name)]));
    this.sides = Object.fromEntries((this.game.sides ?? []).map((s) => [s.key, s.title]));
    document.title = this.game.title;
    $("name").textContent = this.game.title;
    if (this.mine.length > 1) {
      $("seat-label").hidden = false;
      put($("seat"), this.mine.map((s) => h("option", { value: s }, this.sides[s] ?? s)));
      $("seat").addEventListener("change", (e) => this.sit(e.target.value));
    }
  }

  get live() { return this.version === this.newest; }

  head() {
    const p = this.position;
    const phase = (this.game.phases ?? []).find((x) => x.key === p.phase);
    const state = (this.game.states ?? []).find((x) => x.key === p.state);
    const frame = (this.game.frames ?? []).find((x) => x.name === (p.frames ?? []).at(-1)?.kind);
    $("when").textContent = [`turn ${p.turn ?? 1}`, phase?.title ?? words(p.phase ?? "")].filter(Boolean).join(" · ");
    const active = (p.active ?? []).map((s) => this.sides[s] ?? s);
    const mine = (p.active ?? []).includes(this.side);
    const over = this.table.match.outcome;
    const ended = over && (over.text || over.winners || over.rule);
    this.over = Boolean(ended);
    put($("asked"), ended ? h("span", { class: "badge good" }, "the game is over")
      : h("span", { class: `badge ${mine ? "good" : ""}` }, mine ? `your turn: ${this.sides[this.side] ?? this.side}` : `to act: ${active.join(", ") || "nobody"}`));
    const asks = frame?.asks !== false ? frame : null;
    const about = asks ?? state ?? phase;
    put($("prompt"), ended ? h("div", { class: "card" }, h("h2", {}, over.winners?.length ? `${over.winners.map((w) => this.sides[w] ?? w).join(", ")} won` : "A draw"), over.text ?? "")
      : h("div", { class: "card" }, h("h2", {}, about?.title || words(p.state || p.phase || "")), h("p", { class: "dim" }, about?.doc ?? "")),
      this.live ? "" : h("p", {}, h("button", { type: "button", class: "go", id: "now", onclick: () => this.go(this.newest) }, "Back to the present")));
    $("at").max = this.newest; $("at").value = this.version;
    $("at-told").textContent = `${this.version} / ${this.newest}`;
    $("back").disabled = this.version <= 0; $("forth").disabled = this.live;
    $("undo").disabled = !this.live || this.newest === 0 || this.over;
  }

  /** Ask what may be done, if it is the present. */
  async ask() {
    put($("piece")); put($("why"));
    this.board.clear("reach");
    if (document.activeElement !== this.board.element) this.board.clear("cursor"); // one's place, while one goes by keys
    if (!this.live || this.over) { put($("builder")); this.board.clear("choosable", "choices", "refusals", "chosen", "way"); return; }
    await this.builder.reset();
    const idle = !(this.position.active ?? []).includes(this.side);
    if (idle && !(this.builder.found?.choices ?? []).length) {
      put($("builder"), h("p", { class: "dim", id: "waiting" }, "Waiting: the other side decides. What it does appears here by itself."));
    }
  }

  async remember() {
    this.events = await get(`/history/${encodeURIComponent(this.match)}?${new URLSearchParams({ side: this.side })}`).catch(() => this.events);
    this.list();
  }

  list() {
    $("nothing").hidden = this.events.length > 0;
    put($("events"), [...this.events].reverse().map((event) => {
      const { line, parts, rolls } = happened(event, this.titles, this.sides);
      const version = Number(event.version);
      const entry = h("li", { value: version, "aria-current": version === this.version },
        h("button", { type: "button", class: "quiet", onclick: () => this.go(version) }, line),
        rolls.length ? h("small", {}, " dice ", rolls.map((r) => r.value).join(", ")) : "",
        parts.length ? h("details", {}, h("summary", {}, "how it was decided"), parts) : "");
      return entry;
    }));
  }

  watch() {
    this.stop?.();
    let lost = false;
    const from = this.newest;
    this.stop = watch(() => `/events/${encodeURIComponent(this.match)}?${new URLSearchParams({ side: this.side, after: from })}`, {
      happened: (answer) => this.happened(answer),
      lost: () => { lost = true; $("line").hidden = false; },
      back: () => { $("line").hidden = true; if (lost) { lost = false; this.refresh().catch(() => {}); } },
      refused: (error) => say(error.message, "error"),
    });
    this.chance();
  }

  async happened({ event }) {
    const version = Number(event.version);
    if (version > this.events.length) this.events.push(event);
    if (version <= this.newest) { this.list(); return; }
    const live = this.live;
    this.newest = version;
    if (!live) { this.head(); this.list(); return; }
    await this.refresh(event);
  }

  /** Look anew, and show what came of it. */
  async refresh(event) {
    if (this.refreshing) { this.again = event ?? true; return; }
    this.refreshing = true;
    this.busy(true);
    try {
      await this.look();
      if (this.events.length !== this.newest) await this.remember();
      this.list();
      if (event?.version) this.result(event);
      const active = this.position.active ?? [];
      const other = this.mine.find((s) => active.includes(s));
      if (other && other !== this.side && !active.includes(this.side)) { await this.sit(other, event); return; }
      await this.ask();
      if (event?.version) this.moved(event);
      this.chance();
    } catch (error) { say(error.message, "error"); } finally {
      this.refreshing = false;
      this.busy(false);
      if (this.again) { const next = this.again; this.again = null; this.refresh(next === true ? undefined : next); }
    }
  }

  /** Show where units went. */
  moved(event) {
    const ids = (event.effects ?? []).map((e) => e.moveUnit?.unit ?? e.changeUnit?.unit).filter(Boolean);
    const cells = (event.effects ?? []).map((e) => e.moveUnit?.cell).filter(Boolean);
    this.board.markPieces("moved", ids);
    if (event.side !== this.side) this.board.look(cells.slice(-1));
  }

  result(event) {
    const { line, parts, rolls } = happened(event, this.titles, this.sides);
    put($("result"), h("h3", {}, "What happened last"), h("p", {}, line), parts.length ? parts : "", !parts.length && rolls.length ? h("p", {}, "dice ", rolls.map((r) => r.value).join(", ")) : "");
  }

  /** Sit down at another seat of one's own. */
  async sit(side, event) {
    this.side = side;
    $("seat").value = side;
    this.events = [];
    await this.look();
    await this.remember();
    if (event) this.result(event);
    await this.ask();
    this.watch();
  }

  async go(version) {
    const at = Math.max(0, Math.min(this.newest, version));
    history.replaceState(null, "", at === this.newest ? location.pathname + location.search : `#v=${at}`);
    try {
      const newest = this.newest;
      await this.look(at === newest ? undefined : at);
      this.list();
      const event = this.events[at - 1];
      if (event) this.result(event); else put($("result"));
      await this.ask();
      if (event) this.moved(event);
    } catch (error) { say(error.message, "error"); }
  }

  // Doing

  async submit(action) {
    this.busy(true);
    try { await this.submitted(action); } finally { this.busy(false); }
  }

  async submitted(action) {
    $("confirm").disabled = true;
    const message = { match: this.match, version: this.newest, action, idempotencyKey: crypto.randomUUID?.() ?? String(Math.random()) };
    for (let tries = 0; ; tries++) {
      try {
        const { event } = await call("MatchService/SubmitAction", message);
        await this.happened({ event });
        return;
      } catch (error) {
        // The same key makes it harmless to ask again: nothing is done twice.
        if (error.code === "unavailable" && tries < 8) { await new Promise((d) => setTimeout(d, 700)); continue; }
        put($("why"), error.violations.length ? violations(error.violations) : h("p", { class: "why" }, error.message));
        if (error.code === "aborted") await this.refresh();
        if ($("confirm")) $("confirm").disabled = false;
        return;
      }
    }
  }

  async undo() {
    try {
      const { event } = await call("MatchService/UndoAction", { match: this.match, version: this.newest, side: this.side, idempotencyKey: crypto.randomUUID?.() ?? String(Math.random()) });
      await this.happened({ event });
    } catch (error) { say(error.message, "error"); }
  }

  /** The random player's go, if it has one. */
  async chance() {
    const side = this.random.find((s) => (this.position.active ?? []).includes(s));
    if (!side || this.over) return;
    // What it did may come before the answer to the call that had it done: it is asked again after that.
    if (this.drawing) { this.another = true; return; }
    this.drawing = true;
    await new Promise((done) => setTimeout(done, RANDOM_WAIT));
    try { await post(`/random/${encodeURIComponent(this.match)}`, { side }); } catch (error) {
      if (error.reason !== "NOT_ASKED" && error.code !== "aborted") say(error.message, "error");
    } finally { this.drawing = false; }
    if (this.another) { this.another = false; this.chance(); }
  }

  cell(name) { return this.clicks.cell(name); }
  piece(piece) { return this.clicks.piece(piece); }
}

const match = new Match();
$("undo").addEventListener("click", () => match.undo());
$("back").addEventListener("click", () => match.go(match.version - 1));
$("forth").addEventListener("click", () => match.go(match.version + 1));
let waiting = 0;
$("at").addEventListener("input", (e) => {
  clearTimeout(waiting);
  $("at-told").textContent = `${e.target.value} / ${match.newest}`;
  waiting = setTimeout(() => match.go(Number(e.target.value)), 60);
});
document.addEventListener("click", (e) => {
  const wanted = e.target.closest("[data-rule]");
  if (wanted && match.rulebook) match.rulebook.open(wanted.dataset.rule);
});
document.addEventListener("keydown", (e) => {
  if (e.target.matches("input, select, textarea") || e.ctrlKey || e.metaKey || e.altKey) return;
  if (e.key === "Escape") match.builder.past.length ? match.builder.back() : match.clicks.forget();
  else if (e.key === "z") match.undo();
  else if (e.key === "PageUp") match.go(match.version - 1);
  else if (e.key === "PageDown") match.go(match.version + 1);
  else return;
  e.preventDefault();
});
window.hexmarshal = match;
match.begin();
