// What is marked on a map: cells that are shaded, lines, and pieces that stand out.

import { outline } from "./cells.js";
import { s } from "../shared/dom.js";

export class Marks {
  /** `mark(name, id, on)` gives a piece that lies here a class, or takes it away. */
  constructor(mark) {
    this.mark = mark;
    this.layers = new Map();
    this.marked = new Map();
    this.cells = null;
    this.ink = s("svg", { class: "ink", "aria-hidden": "true" });
    this.over = s("svg", { class: "ink over", "aria-hidden": "true" });
  }

  resize(w, hh) {
    for (const each of [this.ink, this.over]) {
      each.setAttribute("width", w); each.setAttribute("height", hh);
      each.setAttribute("viewBox", `0 0 ${w} ${hh}`);
    }
  }

  /** A layer: {pieces: a set of ids}, {cells: [{cell, kind, label}]} or {line: stops, kind}. */
  set(name, layer) { this.layers.set(name, layer); this.draw(name); }

  clear(names) {
    for (const name of names.length ? names : [...this.layers.keys()]) {
      this.set(name, {}); this.layers.delete(name);
    }
  }

  drawAll() { for (const name of this.layers.keys()) this.draw(name); }

  /** Mark a piece that has just been laid down as the layers have it. */
  markAnew(id) { for (const [name, layer] of this.layers) if (layer.pieces?.has(id)) this.mark(name, id, true); }

  draw(name) {
    const layer = this.layers.get(name) ?? {};
    const now = layer.pieces ?? new Set();
    for (const id of this.marked.get(name) ?? []) if (!now.has(id)) this.mark(name, id, false);
    for (const id of now) this.mark(name, id, true);
    this.marked.set(name, now);
    for (const svg of [this.ink, this.over]) svg.querySelector(`[data-layer="${CSS.escape(name)}"]`)?.remove();
    if (!this.cells) return;
    const group = s("g", { "data-layer": name });
    const labels = s("g", { "data-layer": name });
    this.#shade(layer.cells ?? [], group, labels);
    this.#line(layer, labels);
    if (group.childNodes.length) this.ink.append(group);
    if (labels.childNodes.length) this.over.append(labels);
  }

  #shade(entries, group, labels) {
    const size = this.cells.breadth;
    for (const { cell: at, kind, label } of entries) {
      const cell = this.cells.get(at);
      if (!cell) continue;
      group.append(s("polygon", { class: kind, points: outline(cell) }));
      if (label) labels.append(s("text", { class: `cost ${kind}`, x: cell.x, y: cell.y + size * 0.36, "font-size": size * 0.2 }, label));
    }
  }

  #line(layer, labels) {
    const size = this.cells.breadth;
    const stops = (layer.line ?? []).map((stop) => (typeof stop === "string" ? this.cells.get(stop) : stop)).filter(Boolean);
    if (stops.length < 2) return;
    const points = stops.map(({ x, y }) => `${x},${y}`).join(" ");
    labels.append(s("polyline", { class: `halo`, points, "stroke-width": size * 0.14 }),
      s("polyline", { class: layer.kind, points, "stroke-width": size * 0.07 }));
    const [from, to] = [stops.at(-2), stops.at(-1)];
    const turn = (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI;
    labels.append(s("path", { class: `${layer.kind} tip`, d: `M0 0 L${-size * 0.2} ${size * 0.11} L${-size * 0.2} ${-size * 0.11} Z`, transform: `translate(${to.x} ${to.y}) rotate(${turn})` }));
  }
}
