// A map with what lies on it: its ground, its cells, its counters, and what is marked.

import { get } from "../shared/api.js";
import { Cells } from "./cells.js";
import { h, put } from "../shared/dom.js";
import { hands } from "./hands.js";
import { MapWindow } from "./map_window.js";
import { Marks } from "./marks.js";
import { Stacks } from "./stacks.js";

const SIZE = 60;

export class Board {
  /** `on` may have cell(name, event), piece(piece, event), hover(piece or null), map(number), point(cell). */
  constructor(container, on = {}) {
    this.on = on;
    this.maps = []; this.pieces = []; this.shown = 0;
    this.cells = null;
    this.counters = new Stacks(this);
    this.marks = new Marks((...all) => this.counters.mark(...all));
    this.ground = h("div", { class: "ground" });
    this.stage = h("div", { class: "stage" }, this.ground, this.marks.ink, this.counters.element, this.marks.over);
    this.told = h("div", { class: "told", "aria-live": "polite" });
    this.picker = h("div", { class: "maps", role: "group", "aria-label": "maps" });
    const button = (label, sign, run) => h("button", { type: "button", "aria-label": label, title: label, onclick: run }, sign);
    const tools = h("div", { class: "zoom", role: "group", "aria-label": "zoom" },
      button("zoom in (+)", "+", () => this.zoom(1.4)),
      button("zoom out (−)", "−", () => this.zoom(1 / 1.4)),
      button("whole map (0)", "⤢", () => this.fit()));
    this.element = h("div", {
      class: "board", tabindex: "0", role: "application",
      "aria-label": "map; plus and minus zoom, shift and arrows move the map",
    }, this.stage, tools, this.picker, this.told);
    container.append(this.element);
    this.window = new MapWindow(this.element, this.stage);
    hands(this);
  }

  get map() { return this.maps[this.shown]; }
  get view() { return this.window.view; }
  get layers() { return this.marks.layers; }
  get stacks() { return this.counters.stacks; }
  /** How wide a cell is. */
  get size() { return this.cells?.breadth ?? this.lastSize ?? SIZE; }

  // What is shown

  /** Show a table: maps, and the pieces on them. The view stays where it was. */
  async show(table) {
    const same = JSON.stringify(this.maps.map((m) => [m.name, m.cells, m.ground])) ===
      JSON.stringify(table.maps.map((m) => [m.name, m.cells, m.ground]));
    this.maps = table.maps;
    this.colours = table.colours ?? {};
    this.pieces = table.pieces;
    if (!same) {
      put(this.picker, this.maps.length > 1 && this.maps.map((m, i) => h("button", {
        type: "button", "aria-pressed": i === this.shown, onclick: () => this.turnTo(i),
      }, m.name)));
      this.shown = Math.min(this.shown, Math.max(0, this.maps.length - 1));
      await this.turnTo(this.shown);
    } else this.#lay();
  }

  /** Show another of the maps. */
  async turnTo(number) {
    if (this.stale) { this.pieces = this.on.pieces?.() ?? this.pieces; this.stale = false; }
    this.shown = number;
    [...this.picker.children].forEach((b, i) => b.setAttribute("aria-pressed", i === number));
    const map = this.window.map = this.map;
    this.counters.clear();
    this.lastSize = this.cells?.breadth ?? this.lastSize;
    this.cells = this.marks.cells = null;
    if (!map) { put(this.ground); this.tell("This game has no map to show."); return; }
    put(this.ground, this.#parts(map));
    for (const each of [this.stage, this.ground, this.counters.element]) {
      each.style.width = `${map.w}px`; each.style.height = `${map.h}px`;
    }
    this.marks.resize(map.w, map.h);
    this.#lay();
    this.fit();
    this.window.frame(this.pieces.filter((p) => p.map === map.name && p.cell));
    this.on.map?.(number);
    this.known = this.#study(map);
  }

  #parts(map) {
    return map.ground.map((part) => {
      const place = { left: `${part.x}px`, top: `${part.y}px`, width: `${part.w}px`, height: `${part.h}px` };
      if (!part.src) return h("div", { class: "bare", style: { ...place, background: part.colour } });
      const image = h("img", { alt: "", draggable: "false", class: part.turned && "turned", style: place });
      image.src = part.src;
      return image;
    });
  }

  /** The same map with another look of its ground, once that can be shown. */
  async lookAnew(map) {
    const number = (this.grounds = (this.grounds ?? 0) + 1);
    const parts = this.#parts(map);
    await Promise.all(parts.map((part) => part.decode?.().catch(() => {})));
    if (number !== this.grounds) return;
    this.maps[this.shown] = { ...this.map, ground: map.ground };
    put(this.ground, parts);
  }

  /** Until everything that is shown is drawn. */
  painted() { return Promise.all([...this.stage.querySelectorAll("img")].map((image) => image.decode().catch(() => {}))); }

  /** Learn the cells of a map; the picture comes first. `known` tells when they are. */
  async #study(map) {
    await this.painted();
    document.body.dataset.shown = "yes";
    const found = map.cells && await get(map.cells).catch(() => null);
    if (!found || this.map !== map) return;
    this.cells = this.marks.cells = new Cells(found);
    this.marks.drawAll();
    this.on.cells?.();
  }

  #lay() {
    const map = this.map?.name;
    this.counters.lay(this.pieces.filter((piece) => piece.map === map));
    this.marks.drawAll();
  }

  /** A piece was laid down: the marks that it has are shown. */
  laid(id) { this.marks.markAnew(id); }

  /** Take pieces away and put others down, and touch nothing else: a step of a game. */
  change(gone, come) {
    const here = (piece) => piece.map === this.map?.name;
    this.counters.change(gone.filter(here), come.filter(here));
    this.stale = true;
  }

  // Marks

  /** Mark pieces by id with a class, and no others. */
  markPieces(name, ids) { this.marks.set(name, { pieces: new Set(ids) }); }

  /** Mark cells: entries {cell, kind, label}. */
  markCells(name, entries) { this.marks.set(name, { cells: entries }); }

  /** Draw a line through cells, or points {x, y}; `kind` is its class. */
  drawLine(name, stops, kind) { this.marks.set(name, { line: stops, kind }); }

  /** Take marks away; all, if none is named. */
  clear(...names) { this.marks.clear(names); }

  /** A word in the corner of the map. */
  tell(text) { this.told.textContent = text; }

  // Moving around

  fit() { this.window.fit(); }
  zoom(factor, at) { this.window.zoom(factor, at); }
  pan(dx, dy) { this.window.pan(dx, dy); }

  /** Bring cells or points into sight, without moving if they are. */
  look(stops) { this.window.look(stops.map((stop) => (typeof stop === "string" ? this.cells?.get(stop) : stop)).filter(Boolean)); }

  /** The cell at a point of the screen. */
  cellAt(clientX, clientY) { return this.cells?.at(...this.window.on(clientX, clientY)) ?? null; }

  /** The side of a cell at a point of the screen: the cell and its neighbour there, or null. */
  sideAt(clientX, clientY) { return this.cells?.sideAt(...this.window.on(clientX, clientY)) ?? null; }

  /** Where a cell is on the screen. */
  screen(name) {
    const cell = this.cells?.get(name);
    return cell && this.window.screen(cell);
  }

  /** The mouse is on another cell, or on none. */
  point(cell) {
    if (cell === this.pointed) return;
    this.pointed = cell;
    this.on.point?.(cell);
  }

  /** One cell on, by a key. */
  step(way) {
    const next = this.cells.next(this.cursor, way);
    if (!next) return;
    this.cursor = next;
    this.markCells("cursor", [{ cell: next, kind: "cursor" }]);
    this.look([next]);
    const here = this.pieces.filter((p) => p.cell === next).map((p) => p.title);
    this.tell([next, ...here].join(" · "));
    this.on.point?.(next);
  }
}
