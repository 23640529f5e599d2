// A log or a save: the table after each step, what was done, and what the rules say of it.

import { get } from "../shared/api.js";
import { $, h, put, say, tabs } from "../shared/dom.js";

const KINDS = { violation: "bad", likely: "warn", unknown: "", legal: "good", "taken back": "" };
const kind = (entry) => (entry.status === "violation" && entry.certainty !== "certain" ? "likely" : entry.status);
const PLAY = 900;

class LogPage {
  constructor(file, board) {
    this.file = file; this.board = board;
    this.step = 0; this.steps = []; this.entries = [];
    this.tables = new Map([[0, Promise.resolve(file)]]);
    // The first picture wants every counter: all of them come at once.
    this.faces = get("/faces").catch(() => ({}));
    const part = (id) => h("section", { id });
    this.parts = { now: part("now"), steps: part("steps"), findings: part("findings"), dice: part("dice"), about: part("info") };
    $("panels").append(...Object.values(this.parts));
    this.pick = tabs($("tabs"), {
      now: { title: file.kind === "log" ? "This step" : "Game", element: this.parts.now },
      ...(file.kind === "log" ? { steps: { title: "Steps", element: this.parts.steps } } : {}),
      findings: { title: "Findings", element: this.parts.findings },
      dice: { title: "Dice", element: this.parts.dice },
      about: { title: "About", element: this.parts.about },
    });
    this.pick("now");
    if (file.kind !== "log") this.parts.steps.hidden = true;
    $("about").textContent = [file.module || file.wanted, file.name].filter(Boolean).join(" · ");
  }

  async begin() {
    await this.go(this.wanted(), true);
    // The first picture comes before all that takes long.
    await this.board.painted();
    this.check();
    if (this.file.kind !== "log") { this.about(); return; }
    this.steps = (await get("/steps")).steps;
    $("foot").hidden = false;
    $("at").max = this.steps.length;
    this.undone = new Set(this.steps.filter((s) => s.undoes).map((s) => s.undoes));
    this.list(); this.about();
    if (this.verdicts) this.ticks(); // which came before the steps that they are marked on
    if (this.wanted() > this.steps.length) location.hash = "";
    await this.go(Math.min(this.wanted(), this.steps.length), true);
    this.listen();
    this.learn();
  }

  wanted() { return Number(new URLSearchParams(location.hash.slice(1)).get("step")) || 0; }

  listen() {
    $("at").addEventListener("input", (e) => this.go(Number(e.target.value)));
    $("first").addEventListener("click", () => this.go(0));
    $("back").addEventListener("click", () => this.go(this.step - 1));
    $("forth").addEventListener("click", () => this.go(this.step + 1));
    $("play").addEventListener("click", () => this.play());
    $("next-finding").addEventListener("click", () => this.nextFinding(1));
    addEventListener("hashchange", () => this.go(this.wanted()));
    document.addEventListener("keydown", (e) => {
      if (e.ctrlKey || e.metaKey || e.altKey || (e.shiftKey && e.key.startsWith("Arrow")) || (e.target.matches("input:not([type=range]), select, textarea"))) return;
      const run = {
        ArrowRight: () => this.go(this.step + 1), ArrowLeft: () => this.go(this.step - 1),
        PageDown: () => this.go(this.step + 10), PageUp: () => this.go(this.step - 10),
        Home: () => this.go(0), End: () => this.go(this.steps.length),
        n: () => this.nextFinding(1), p: () => this.nextFinding(-1),
        ...(e.target.matches("button, summary, a") ? {} : { " ": () => this.play() }),
      }[e.key];
      if (!run) return;
      e.preventDefault();
      run();
    });
  }

  play() {
    const playing = Boolean(this.playing);
    clearInterval(this.playing);
    this.playing = playing ? 0 : setInterval(() => (this.step < this.steps.length ? this.go(this.step + 1) : this.play()), PLAY);
    $("play").setAttribute("aria-pressed", !playing);
    $("play").querySelector("path").setAttribute("d", playing ? "M6 3v18l15-9z" : "M6 4h4v16H6zM14 4h4v16h-4z");
    $("play").setAttribute("aria-label", playing ? "play (space)" : "pause (space)");
  }

  /** Learn what changes in each step: from then on a step is a matter of the page alone. */
  async learn() {
    const changes = (await get("/changes").catch(() => ({}))).changes;
    if (!changes) return;
    this.tops = new Map(Object.entries(changes[0]));
    this.at = 0;
    this.undo = [];
    this.changes = changes.map((change) => Object.entries(change));
  }

  /** Bring what lies on the table from the step that is known to another. */
  walk(to) {
    const gone = new Map(), come = new Map();
    const set = (top, told) => {
      const before = this.tops.get(top);
      for (const piece of before?.[1] ?? []) if (!come.delete(piece.id)) gone.set(piece.id, piece);
      this.tops.delete(top);
      if (!told) return before;
      this.tops.set(top, told);
      for (const piece of told[1]) come.set(piece.id, { ...piece, rank: told[0] });
      return before;
    };
    while (this.at < to) { this.at++; this.undo[this.at] = this.changes[this.at].map(([top, told]) => [top, set(top, told)]); }
    while (this.at > to) { for (const [top, told] of [...this.undo[this.at]].reverse()) set(top, told); this.at--; }
    return [[...gone.values()], [...come.values()]];
  }

  table(step) {
    if (!this.tables.has(step)) {
      if (this.tables.size > 60) this.tables.delete(this.tables.keys().next().value);
      const asked = get(`/tables/${step}`);
      asked.catch(() => this.tables.delete(step));
      this.tables.set(step, asked);
    }
    return this.tables.get(step);
  }

  /** Show the table after a step. */
  async go(step, first = false) {
    const at = Math.max(0, first ? step : Math.min(step, this.steps.length));
    this.step = at;
    $("at").value = at;
    $("at-told").textContent = this.steps.length ? `${at} / ${this.steps.length}` : "";
    if (this.changes && this.fresh) this.board.change(...this.walk(at));
    else {
      try {
        const [table, faces] = await Promise.all([this.table(at), this.faces]);
        this.board.faces = faces;
        if (this.step !== at) return;
        await this.board.show({ maps: this.file.maps, pieces: table.pieces });
        if (this.changes) { this.walk(at); this.fresh = true; }
        else if (at < this.steps.length) this.table(at + 1);
      } catch (error) { say(error.message, "error"); return; }
    }
    if (first) this.shown();
    else this.frame ??= requestAnimationFrame(() => this.shown());
  }

  /** Tell about the step that is shown; of steps that pass faster than frames, only the last. */
  shown() {
    this.frame = null;
    clearTimeout(this.naming);
    // Browsers let a page change its address only so often.
    this.naming = setTimeout(() => history.replaceState(null, "", this.step ? `#step=${this.step}` : location.pathname), 120);
    this.tell();
    document.body.dataset.step = this.step;
  }

  here() { return this.entries.filter((e) => e.steps[0] <= this.step && this.step <= e.steps[1]); }

  tell() {
    const step = this.steps[this.step - 1];
    const entries = this.here();
    const moves = step?.moves ?? [];
    const map = this.board.map?.name;
    this.board.clear("way", "wrong");
    const drags = moves.filter((m) => m.from && m.to && m.from.map === map && m.to.map === map);
    if (drags.length) this.board.drawLine("way", [drags.at(-1).from, drags.at(-1).to], "way");
    this.board.markPieces("moved", moves.map((m) => m.id));
    if (drags.length) this.board.look([drags.at(-1).to]);
    const wrong = entries.flatMap((e) => e.cells ?? []);
    this.board.markCells("wrong", wrong.map((cell) => ({ cell, kind: "wrong" })));
    put(this.parts.now, this.step === 0 ? h("p", { class: "dim" }, this.file.kind === "log" ? "The start of the log. The arrow keys page through it." : "") : this.words(step),
      entries.map((e) => this.entry(e)));
    this.row?.setAttribute("aria-current", "false");
    this.row = this.rows?.[this.step - 1];
    this.row?.setAttribute("aria-current", "true");
    if (!this.parts.steps.hidden) this.row?.scrollIntoView({ block: "nearest" });
    const legal = entries.length ? kind(entries.find((e) => e.status === "violation") ?? entries[0]) : "";
    put($("verdict"), legal ? h("span", { class: `badge ${KINDS[legal]}` }, legal) : "");
  }

  words(step) {
    if (!step) return "";
    const move = (m) => [h("b", {}, m.name || "a piece"), m.from ? ` ${m.from.name || `${m.from.x}, ${m.from.y}`}` : " enters", " → ", m.to ? m.to.name || `${m.to.x}, ${m.to.y}` : "off the map"];
    return h("div", { class: "card" },
      h("div", { class: "row" }, h("b", {}, `Step ${step.n}`), h("span", {}, step.player), step.undo ? h("span", { class: "badge warn" }, step.undoes ? `takes back step ${step.undoes}` : "undo") : "",
        this.undone?.has(step.n) ? h("span", { class: "badge warn" }, "taken back later") : ""),
      step.words.map((w) => h("p", {}, w)), step.moves.map((m) => h("p", {}, move(m))), step.changes.map((c) => h("p", { class: "dim" }, c)),
      step.dice.map((d) => h("p", {}, `${d.name} `, h("span", { class: "dice" }, d.values.map((v) => h("span", { class: "die" }, String(v)))))),
      step.problems.map((p) => h("p", { class: "why" }, p)),
      h("p", {}, h("a", { href: `#step=${step.n}` }, "link to this step")));
  }

  entry(e) {
    const rules = this.verdicts.rules;
    return h("article", { class: "card finding", "data-status": kind(e) },
      h("div", { class: "row" }, h("span", { class: `badge ${KINDS[kind(e)]}` }, kind(e) === "likely" ? "likely a violation" : kind(e)),
        h("b", {}, e.player || e.side || ""), h("button", { type: "button", class: "quiet", onclick: () => this.go(e.steps[0]) }, e.steps[0] ? `step ${e.steps[0]}` : "at the start")),
      h("p", {}, e.what, e.dice?.length ? h("small", {}, ` dice ${e.dice.join(", ")}`) : ""),
      (e.violations ?? []).map((v) => h("div", { class: "why" }, h("b", {}, v.rule), v.section ? h("small", {}, ` ${v.section}`) : "", h("br"), v.text,
        rules[v.rule] ? h("details", {}, h("summary", {}, rules[v.rule].title), rules[v.rule].text) : "")),
      e.right ? h("p", {}, h("b", {}, "By the rules: "), e.right) : e.result ? h("p", { class: "dim" }, e.result) : "", e.hint ? h("p", { class: "dim" }, e.hint) : "");
  }

  list() {
    put(this.parts.steps, h("ol", { class: "events" }, this.steps.map((s) => {
      const text = s.words[0] ?? (s.moves[0] ? `${s.moves[0].name || "a piece"} → ${s.moves[0].to?.name || "…"}` : s.changes[0] ?? (s.undo ? "undo" : "…"));
      const found = this.entries.filter((e) => e.steps[0] === s.n && e.status !== "legal");
      return h("li", { value: s.n }, h("button", { type: "button", class: "quiet", onclick: () => this.go(s.n) }, `${s.n}. ${s.player ? `${s.player}: ` : ""}${text}`),
        found.map((e) => h("span", { class: `badge ${KINDS[kind(e)]}` }, kind(e))));
    })));
    this.rows = [...this.parts.steps.querySelectorAll("li")];
  }

  // What the rules say

  async check() {
    put(this.parts.findings, h("p", { class: "dim" }, "The rules are being looked up …"));
    let wait = 150;
    for (;;) {
      const found = await get("/verdicts").catch((error) => ({ state: "failed", message: error.message }));
      if (found.state === "running") { await new Promise((d) => setTimeout(d, wait)); wait = Math.min(wait * 1.4, 1500); continue; }
      if (found.state === "failed") { put(this.parts.findings, h("p", { class: "why" }, found.message)); document.body.dataset.checked = "failed"; return; }
      this.verdicts = found;
      this.entries = found.entries.map((e, i) => ({ ...e, cells: found.cells[i] }));
      break;
    }
    this.findings(); this.dice(); this.ticks(); this.list(); this.about(); this.tell();
    document.body.dataset.checked = "yes";
  }

  notable() { return this.entries.filter((e) => e.status === "violation" || e.status === "unknown"); }

  findings() {
    const v = this.verdicts;
    const list = this.notable();
    const certain = list.filter((e) => kind(e) === "violation").length;
    put(this.parts.findings,
      v.bound ? h("p", {}, h("span", { class: `badge ${certain ? "bad" : "good"}`, id: "certain" }, certain ? `${certain} certain violations` : "no certain violation"), ` in ${this.entries.length} things done`)
        : h("p", { class: "dim" }, "The rules of this game are not known here: steps without verdicts."),
      (v.notes ?? []).slice(0, 50).map((n) => h("div", { class: "why note" }, n.step ? `step ${n.step}: ` : "", n.text, n.hint ? h("small", {}, ` ${n.hint}`) : "")),
      list.map((e) => this.entry(e)));
  }

  dice() {
    const dice = this.verdicts.dice ?? [];
    put(this.parts.dice, dice.length ? dice.map((d) => {
      const most = Math.max(...d.faces, 1);
      return h("div", { class: "card" }, h("h2", {}, `${d.player || "somebody"}: ${d.count} dice with ${d.sides} sides`),
        h("div", { class: "bars" }, d.faces.map((n, i) => [h("span", {}, String(i + 1)), h("i", { style: { width: `${(100 * n) / most}%` } }), h("span", {}, String(n))])),
        h("p", { class: "dim" }, `average ${d.mean}; fair dice stray so far with a chance of ${(100 * d.p).toFixed(1)} %${d.exact ? "" : " (about)"}`));
    }) : h("p", { class: "dim" }, "No dice in this file."));
  }

  ticks() {
    const last = this.steps.length;
    if (!last) return; // not known yet, or a save
    put($("ticks"), this.notable().map((e) => {
      const tick = h("button", { type: "button", class: kind(e), tabindex: "-1", title: `step ${e.steps[0]}: ${e.what}`, "aria-label": `${kind(e)}, step ${e.steps[0]}`, onclick: () => this.go(e.steps[0]) });
      tick.style.left = `${(100 * e.steps[0]) / last}%`;
      return tick;
    }));
    $("next-finding").disabled = !this.notable().length;
  }

  nextFinding(way) {
    const at = this.notable().map((e) => e.steps[0]).sort((a, b) => a - b);
    const next = way > 0 ? at.find((n) => n > this.step) ?? at[0] : at.findLast((n) => n < this.step) ?? at.at(-1);
    if (next !== undefined) { this.pick("now"); this.go(next); }
  }

  about() {
    const v = this.verdicts;
    const rows = [["file", this.file.name], ["module", this.file.module || `${this.file.wanted || "?"} (not at hand: give it with --module)`], ["game", v?.title || v?.game || this.file.game || "rules not known"],
      ["scenario", v?.scenario], ["steps", this.steps.length || undefined], ["taken back", v?.undone || undefined]];
    put(this.parts.about, h("table", {}, h("tbody", {}, rows.filter(([, x]) => x).map(([k, x]) => h("tr", {}, h("th", { scope: "row" }, k), h("td", {}, String(x)))))),
      this.file.notes.map((note) => h("p", { class: "why note" }, note)),
      h("h2", {}, "Keys"), h("p", { class: "dim" }, "← → steps · PageUp PageDown ten steps · Home End · space plays · n p findings · + − 0 zoom · shift and arrows move the map"));
    if (this.file.kind !== "log") put(this.parts.now, h("p", {}, "A saved game."), h("p", { class: "dim" }, "Point at a stack to spread it, or tap it."), this.file.notes.map((note) => h("p", { class: "why note" }, note)));
  }
}

export async function open(file, board, handlers) {
  const page = new LogPage(file, board);
  handlers.pieces = () => [...page.tops.values()].sort((a, b) => a[0] - b[0]).flatMap(([rank, pieces]) => pieces.map((p) => ({ ...p, rank })));
  handlers.point = (name) => board.tell(name ?? "");
  await page.begin();
  return page;
}
