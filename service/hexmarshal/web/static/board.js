// A map with what lies on it: zoom and pan by mouse, fingers and keys; stacks that spread.

import { get } from "./api.js";
import { h, put, s } from "./dom.js";

const CLICK = 5;
const SMALLEST = 44;
const key = (piece) => `${piece.map}|${piece.x}|${piece.y}`;

export class Board {
  /** `on` may have cell(name, event), piece(piece, event), hover(piece or null), map(number). */
  constructor(container, on = {}) {
    this.on = on;
    this.maps = []; this.pieces = []; this.shown = 0;
    this.view = { x: 0, y: 0, scale: 1 };
    this.layers = new Map();
    this.marked = new Map();
    this.cells = null;
    this.nodes = new Map(); // of the pieces that lie here, by id
    this.made = new Map(); // all that were drawn for this map
    this.stacks = new Map();
    this.ground = h("div", { class: "ground" });
    this.ink = s("svg", { class: "ink", "aria-hidden": "true" });
    this.over = s("svg", { class: "ink over", "aria-hidden": "true" });
    this.counters = h("div", { class: "counters" });
    this.stage = h("div", { class: "stage" }, this.ground, this.ink, this.counters, this.over);
    this.told = h("div", { class: "told", "aria-live": "polite" });
    this.picker = h("div", { class: "maps", role: "group", "aria-label": "maps" });
    const button = (label, sign, run) => h("button", { type: "button", "aria-label": label, title: label, onclick: run }, sign);
    this.tools = h("div", { class: "zoom", role: "group", "aria-label": "zoom" },
      button("zoom in (+)", "+", () => this.zoom(1.4)),
      button("zoom out (−)", "−", () => this.zoom(1 / 1.4)),
      button("whole map (0)", "⤢", () => this.fit()));
    this.element = h("div", {
      class: "board", tabindex: "0", role: "application",
      "aria-label": "map; plus and minus zoom, shift and arrows move the map",
    }, this.stage, this.tools, this.picker, this.told);
    container.append(this.element);
    this.#listen();
    new ResizeObserver(() => this.#resized()).observe(this.element);
  }

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

  get map() { return this.maps[this.shown]; }

  /** Show another of the maps. */
  async turnTo(number) {
    if (this.stale) { this.pieces = this.on.pieces?.() ?? this.pieces; this.stale = false; }
    this.shown = number;
    [...this.picker.children].forEach((b, i) => b.setAttribute("aria-pressed", i === number));
    const map = this.map;
    this.nodes.clear(); this.made.clear(); this.stacks.clear(); put(this.counters);
    this.cells = null; this.index = null;
    if (!map) { put(this.ground); this.#tell("This game has no map to show."); return; }
    this.top = 0;
    put(this.ground, this.#parts(map));
    for (const each of [this.stage, this.ground, this.counters]) {
      each.style.width = `${map.w}px`; each.style.height = `${map.h}px`;
    }
    for (const each of [this.ink, this.over]) {
      each.setAttribute("width", map.w); each.setAttribute("height", map.h);
      each.setAttribute("viewBox", `0 0 ${map.w} ${map.h}`);
    }
    this.#lay();
    this.fit();
    this.#frame();
    this.on.map?.(number);
    this.known = this.#study(map);
  }

  /** Until everything that is shown is drawn. */
  painted() { return Promise.all([...this.stage.querySelectorAll("img")].map((image) => image.decode().catch(() => {}))); }

  /** Learn the cells of a map; the picture comes first. `known` tells when they are. */
  async #study(map) {
    await this.painted();
    document.body.dataset.shown = "yes";
    const found = map.cells && await get(map.cells).catch(() => null);
    if (found && this.map === map) this.#learn(found);
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

  #learn({ shapes, cells }) {
    this.cells = new Map();
    for (const [name, x, y, shape] of cells) this.cells.set(name, { name, x, y, shape: shapes[shape] });
    const first = cells[0];
    const xs = first ? shapes[first[3]].filter((_, i) => i % 2 === 0) : [0];
    this.size = Math.max(...xs) - Math.min(...xs) || 40;
    this.index = new Map();
    for (const cell of this.cells.values()) {
      const at = this.#bucket(cell.x, cell.y);
      (this.index.get(at) ?? this.index.set(at, []).get(at)).push(cell);
    }
    for (const name of this.layers.keys()) this.#draw(name);
    this.on.cells?.();
  }

  #bucket(x, y) { return `${Math.floor(x / (this.size * 2))},${Math.floor(y / (this.size * 2))}`; }

  #lay() {
    const map = this.map;
    const groups = new Map();
    for (const piece of this.pieces) {
      if (map && piece.map === map.name) {
        const at = key(piece);
        (groups.get(at) ?? groups.set(at, []).get(at)).push(piece);
      }
    }
    this.top = 0;
    for (const [at, members] of groups) this.#place(at, members);
    for (const at of [...this.stacks.keys()]) if (!groups.has(at)) this.#place(at, []);
    for (const name of this.layers.keys()) this.#draw(name);
  }

  /** Lay a stack out; one without members goes. */
  #place(at, members) {
    let stack = this.stacks.get(at);
    if (!members.length) {
      if (stack) this.#pickUp(stack);
      stack?.element.remove();
      this.stacks.delete(at);
      return;
    }
    if (!stack) {
      stack = { element: h("div", { class: "stack" }), told: "", members: [], nodes: [] };
      // By left and top, not by a transform: a transform each is a layer to be sorted in every frame.
      stack.element.style.left = `${members[0].x}px`;
      stack.element.style.top = `${members[0].y}px`;
      this.stacks.set(at, stack);
      this.counters.append(stack.element);
      this.#hover(stack);
    }
    stack.element.style.zIndex = 1000 * (members[0].rank ?? 0) + ++this.top;
    const told = JSON.stringify(members);
    if (stack.told === told) return;
    stack.told = told;
    this.#pickUp(stack);
    stack.members = members;
    this.#fill(stack);
    stack.nodes.forEach((node, i) => this.nodes.set(members[i].id, node));
    for (const [name, layer] of this.layers) for (const piece of members) if (layer.pieces?.has(piece.id)) this.#mark(name, piece.id, true);
  }

  #pickUp(stack) {
    for (const piece of stack.members) if (this.nodes.get(piece.id)?.parentNode === stack.element) this.nodes.delete(piece.id);
    put(stack.element);
  }

  /** Take pieces away and put others down, and touch nothing else: a step of a game. */
  change(gone, come) {
    const map = this.map?.name;
    const left = new Set(gone.map((piece) => piece.id));
    const stacks = new Map();
    const members = (at) => stacks.get(at) ?? stacks.set(at, (this.stacks.get(at)?.members ?? []).filter((p) => !left.has(p.id))).get(at);
    for (const piece of gone) if (piece.map === map) members(key(piece));
    for (const piece of come) if (piece.map === map) members(key(piece)).push(piece);
    for (const [at, list] of stacks) this.#place(at, list);
    this.stale = true;
  }

  #mark(name, id, on) {
    const node = this.nodes.get(id);
    if (!node) return;
    node.classList.toggle(name, on);
    if (name === "choosable") node.tabIndex = on ? 0 : -1;
  }

  #fill(stack) {
    const [dx, dy] = this.map.step ?? [4, 6];
    stack.nodes = stack.members.map((piece, i) => {
      const node = this.#counter(piece);
      node.style.left = `${i * dx}px`; node.style.top = `${-i * dy}px`;
      return node;
    });
    stack.element.replaceChildren(...stack.nodes);
    stack.element.classList.toggle("several", stack.members.length > 1);
    if (stack.spread) this.#spread(stack);
  }

  /** The counter of a piece: one that lies nowhere and looks the same, if there is one. */
  #counter(piece) {
    const look = JSON.stringify([piece.what, piece.title, piece.face, piece.label, piece.side]);
    let node = this.made.get(piece.id);
    if (!node || node.parentNode || node.look !== look) {
      node = this.#drawn(piece);
      node.look = look;
      node.plain = node.className;
      this.made.set(piece.id, node);
    } else if (node.className !== node.plain) { node.className = node.plain; node.tabIndex = -1; }
    node.piece = piece;
    return node;
  }

  #drawn(piece) {
    const node = h("button", { type: "button", class: `piece ${piece.what}`, tabindex: "-1", "aria-label": piece.title, title: piece.title });
    node.dataset.id = piece.id;
    if (piece.face) {
      const [src, w, hh, x, y] = piece.face;
      const image = h("img", { alt: "", draggable: "false", width: w, height: hh });
      image.src = this.faces?.[src] ?? src;
      node.append(image);
      node.style.marginLeft = `${-x}px`; node.style.marginTop = `${-y}px`;
      node.style.width = `${w}px`; node.style.height = `${hh}px`;
      node.wide = w;
    } else {
      const size = Math.round((this.size ?? 60) * 0.62);
      node.classList.add("drawn");
      node.style.background = this.colours?.[piece.side] ?? "#77736a";
      node.style.width = node.style.height = `${size}px`;
      node.style.marginLeft = node.style.marginTop = `${-size / 2}px`;
      node.style.fontSize = `${Math.max(7, Math.min(size / 3.2, (size * 1.5) / Math.max(3, (piece.label ?? "").length)))}px`;
      node.append(piece.label ?? "");
      node.wide = size;
    }
    node.addEventListener("click", (event) => {
      if (this.dragged) return;
      event.stopPropagation();
      this.on.piece?.(node.piece, event);
    });
    node.addEventListener("focus", () => this.on.hover?.(node.piece));
    node.addEventListener("pointerenter", () => this.on.hover?.(node.piece));
    node.addEventListener("pointerleave", () => this.on.hover?.(null));
    return node;
  }

  #hover(stack) {
    const open = (event) => {
      if (this.dragging || stack.members.length < 2 || stack.spread) return;
      if (event.pointerType === "touch") { event.preventDefault(); event.stopPropagation(); }
      for (const other of this.stacks.values()) if (other !== stack && other.spread) this.#gather(other);
      this.#spread(stack);
    };
    stack.element.addEventListener("pointerenter", (e) => e.pointerType !== "touch" && open(e));
    stack.element.addEventListener("pointerleave", (e) => e.pointerType !== "touch" && this.#gather(stack));
    stack.element.addEventListener("click", (e) => {
      if (!stack.spread && stack.members.length > 1 && e.pointerType === "touch") open(e);
    }, true);
    stack.element.addEventListener("focusin", open);
    stack.element.addEventListener("focusout", (e) => !stack.element.contains(e.relatedTarget) && this.#gather(stack));
  }

  #spread(stack) {
    stack.spread = true;
    const count = stack.nodes.length;
    const columns = Math.min(count, Math.max(2, Math.ceil(Math.sqrt(count * 1.5))));
    const wide = Math.max(...stack.nodes.map((n) => n.wide)) + 5;
    // Counters that are too small to be told apart are magnified as they spread.
    const grown = Math.max(1, SMALLEST / (wide * this.view.scale));
    stack.element.classList.add("spread");
    stack.element.style.transform = grown > 1 ? `scale(${grown})` : "";
    stack.nodes.forEach((node, i) => {
      node.style.left = `${((i % columns) - (Math.min(count, columns) - 1) / 2) * wide}px`;
      node.style.top = `${(Math.floor(i / columns) - (Math.ceil(count / columns) - 1) / 2) * wide}px`;
    });
  }

  #gather(stack) {
    if (!stack.spread) return;
    stack.spread = false;
    const [dx, dy] = this.map?.step ?? [4, 6];
    stack.element.classList.remove("spread");
    stack.element.style.transform = "";
    stack.nodes.forEach((node, i) => { node.style.left = `${i * dx}px`; node.style.top = `${-i * dy}px`; });
  }

  // Marks

  /** Mark pieces by id with a class, and no others. */
  markPieces(name, ids) {
    const wanted = new Set(ids);
    this.layers.set(name, { pieces: wanted });
    this.#draw(name);
  }

  /** Mark cells: entries {cell, kind, label}. */
  markCells(name, entries) { this.layers.set(name, { cells: entries }); this.#draw(name); }

  /** Draw a line through cells, or points {x, y}; `kind` is its class. */
  drawLine(name, stops, kind) { this.layers.set(name, { line: stops, kind }); this.#draw(name); }

  /** Take a mark away. */
  clear(...names) {
    for (const name of names.length ? names : [...this.layers.keys()]) {
      this.layers.set(name, {}); this.#draw(name); this.layers.delete(name);
    }
  }

  #draw(name) {
    const layer = this.layers.get(name) ?? {};
    const now = layer.pieces ?? new Set();
    for (const id of this.marked.get(name) ?? []) if (!now.has(id)) this.#mark(name, id, false);
    for (const id of now) this.#mark(name, id, true);
    this.marked.set(name, now);
    for (const svg of [this.ink, this.over]) svg.querySelector(`[data-layer="${CSS.escape(name)}"]`)?.remove();
    if (!this.cells) return;
    const size = this.size;
    const group = s("g", { "data-layer": name });
    const labels = s("g", { "data-layer": name });
    for (const { cell: at, kind, label } of layer.cells ?? []) {
      const cell = this.cells.get(at);
      if (!cell) continue;
      group.append(s("polygon", { class: kind, points: outline(cell) }));
      if (label) labels.append(s("text", { class: `cost ${kind}`, x: cell.x, y: cell.y + size * 0.36, "font-size": size * 0.2 }, label));
    }
    const stops = (layer.line ?? []).map((stop) => (typeof stop === "string" ? this.cells.get(stop) : stop)).filter(Boolean);
    if (stops.length > 1) {
      const points = stops.map(({ x, y }) => `${x},${y}`).join(" ");
      labels.append(s("polyline", { class: `halo`, points, "stroke-width": size * 0.14 }),
        s("polyline", { class: layer.kind, points, "stroke-width": size * 0.07 }));
      const [from, to] = [stops.at(-2), stops.at(-1)];
      const turn = (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI;
      labels.append(s("path", { class: `${layer.kind} tip`, d: `M0 0 L${-size * 0.2} ${size * 0.11} L${-size * 0.2} ${-size * 0.11} Z`, transform: `translate(${to.x} ${to.y}) rotate(${turn})` }));
    }
    if (group.childNodes.length) this.ink.append(group);
    if (labels.childNodes.length) this.over.append(labels);
  }

  #tell(text) { this.told.textContent = text; }

  /** A word in the corner of the map. */
  tell(text) { this.#tell(text); }

  // Moving around

  /** The whole map, as large as fits. */
  fit() {
    const map = this.map;
    const { clientWidth: w, clientHeight: hh } = this.element;
    if (!map || !w || !hh) { this.unfitted = true; return; }
    this.unfitted = false;
    const scale = Math.min(w / map.w, hh / map.h) * 0.98;
    this.fitted = scale;
    this.view = { scale, x: (w - map.w * scale) / 2, y: (hh - map.h * scale) / 2 };
    this.#move();
  }

  /** Closer to where the pieces are, if they are in one part of the map. */
  #frame() {
    const near = this.pieces.filter((p) => p.map === this.map.name && p.cell);
    const { clientWidth: w, clientHeight: hh } = this.element;
    if (near.length < 2 || !w) return;
    const xs = near.map((p) => p.x), ys = near.map((p) => p.y);
    const [left, right, top, bottom] = [Math.min(...xs) - 260, Math.max(...xs) + 260, Math.min(...ys) - 260, Math.max(...ys) + 260];
    const scale = Math.min(w / (right - left), hh / (bottom - top), 1);
    if (scale < this.view.scale * 1.25) return;
    this.view = { scale, x: w / 2 - ((left + right) / 2) * scale, y: hh / 2 - ((top + bottom) / 2) * scale };
    this.#move();
  }

  #resized() {
    if (this.unfitted || Math.abs(this.view.scale - (this.fitted ?? 0)) < 1e-9) this.fit();
    else this.#move();
  }

  /** Zoom by a factor around a point of the screen, the middle if none is given. */
  zoom(factor, at) {
    const box = this.element.getBoundingClientRect();
    const [px, py] = at ? [at.x - box.left, at.y - box.top] : [box.width / 2, box.height / 2];
    const scale = Math.min(8, Math.max((this.fitted ?? 0.05) * 0.5, this.view.scale * factor));
    const k = scale / this.view.scale;
    this.view = { scale, x: px - (px - this.view.x) * k, y: py - (py - this.view.y) * k };
    this.#move();
  }

  /** Move the map by pixels of the screen. */
  pan(dx, dy) { this.view = { ...this.view, x: this.view.x + dx, y: this.view.y + dy }; this.#move(); }

  /** Bring cells or points into sight, without moving if they are. */
  look(stops) {
    const points = stops.map((stop) => (typeof stop === "string" ? this.cells?.get(stop) : stop)).filter(Boolean);
    if (!points.length) return;
    const x = points.reduce((sum, p) => sum + p.x, 0) / points.length;
    const y = points.reduce((sum, p) => sum + p.y, 0) / points.length;
    const { clientWidth: w, clientHeight: hh } = this.element;
    const [sx, sy] = [this.view.x + x * this.view.scale, this.view.y + y * this.view.scale];
    if (sx > w * 0.12 && sx < w * 0.88 && sy > hh * 0.12 && sy < hh * 0.88) return;
    this.view = { ...this.view, x: w / 2 - x * this.view.scale, y: hh / 2 - y * this.view.scale };
    this.#move();
  }

  #move() {
    const { clientWidth: w, clientHeight: hh } = this.element;
    const map = this.map;
    const v = this.view;
    if (map && w) {
      const margin = Math.min(w, hh) * 0.4;
      v.x = Math.min(w - margin, Math.max(margin - map.w * v.scale, v.x));
      v.y = Math.min(hh - margin, Math.max(margin - map.h * v.scale, v.y));
    }
    this.stage.classList.add("moving");
    clearTimeout(this.settling);
    this.settling = setTimeout(() => this.stage.classList.remove("moving"), 180);
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.stage.style.transform = `translate3d(${this.view.x}px, ${this.view.y}px, 0) scale(${this.view.scale})`;
    });
  }

  /** The cell at a point of the screen. */
  cellAt(clientX, clientY) {
    if (!this.cells) return null;
    const box = this.element.getBoundingClientRect();
    const x = (clientX - box.left - this.view.x) / this.view.scale;
    const y = (clientY - box.top - this.view.y) / this.view.scale;
    const reach = this.size * 2;
    let best = null;
    for (let i = -1; i <= 1; i++) for (let j = -1; j <= 1; j++) {
      for (const cell of this.index.get(this.#bucket(x + i * reach, y + j * reach)) ?? []) {
        if (inside(cell, x, y)) return cell.name;
        const far = (cell.x - x) ** 2 + (cell.y - y) ** 2;
        if (far < (this.size * 0.5) ** 2 && (!best || far < best.far)) best = { far, name: cell.name };
      }
    }
    return best?.name ?? null;
  }

  /** The side of a cell at a point of the screen: the cell and its neighbour there, or null. */
  sideAt(clientX, clientY) {
    const name = this.cellAt(clientX, clientY);
    const cell = this.cells?.get(name);
    if (!cell) return null;
    const box = this.element.getBoundingClientRect();
    const x = (clientX - box.left - this.view.x) / this.view.scale;
    const y = (clientY - box.top - this.view.y) / this.view.scale;
    let best = null;
    const n = cell.shape.length;
    for (let i = 0, j = n - 2; i < n; j = i, i += 2) {
      const [ax, ay, bx, by] = [cell.x + cell.shape[j], cell.y + cell.shape[j + 1], cell.x + cell.shape[i], cell.y + cell.shape[i + 1]];
      const along = Math.max(0.1, Math.min(0.9, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2)));
      const [px, py] = [ax + along * (bx - ax), ay + along * (by - ay)];
      const far = Math.hypot(px - x, py - y);
      if (!best || far < best.far) best = { far, px, py, nx: ay - by, ny: bx - ax, from: { x: ax, y: ay }, to: { x: bx, y: by } };
    }
    const long = Math.hypot(best.nx, best.ny) || 1;
    for (const way of [1, -1]) { // a little over the side, on either hand
      const over = { x: best.px + (way * best.nx * 3) / long, y: best.py + (way * best.ny * 3) / long };
      const other = this.cellAt(box.left + this.view.x + over.x * this.view.scale, box.top + this.view.y + over.y * this.view.scale);
      if (other && other !== name) return { cells: [name, other], line: [best.from, best.to] };
    }
    return null;
  }

  /** Where a cell is on the screen. */
  screen(name) {
    const cell = this.cells?.get(name);
    const box = this.element.getBoundingClientRect();
    return cell && { x: box.left + this.view.x + cell.x * this.view.scale, y: box.top + this.view.y + cell.y * this.view.scale };
  }

  #listen() {
    const el = this.element;
    const down = new Map();
    el.addEventListener("wheel", (e) => {
      e.preventDefault();
      this.zoom(Math.exp(-e.deltaY * (e.deltaMode ? 0.05 : 0.0015)), { x: e.clientX, y: e.clientY });
    }, { passive: false });
    el.addEventListener("pointerdown", (e) => {
      if (e.target.closest(".zoom, .maps")) return;
      down.set(e.pointerId, { x: e.clientX, y: e.clientY });
      this.dragged = false;
      this.start = { x: e.clientX, y: e.clientY };
    });
    el.addEventListener("pointermove", (e) => {
      const was = down.get(e.pointerId);
      if (!was) { this.#point(e); return; }
      const now = { x: e.clientX, y: e.clientY };
      if (!this.dragged && Math.hypot(now.x - this.start.x, now.y - this.start.y) < CLICK) return;
      if (!this.dragged) { this.dragged = this.dragging = true; el.setPointerCapture(e.pointerId); el.classList.add("dragging"); }
      if (down.size === 1) this.pan(now.x - was.x, now.y - was.y);
      else {
        const other = [...down].find(([id]) => id !== e.pointerId)[1];
        const before = Math.hypot(was.x - other.x, was.y - other.y) || 1;
        const after = Math.hypot(now.x - other.x, now.y - other.y) || 1;
        this.pan((now.x - was.x) / 2, (now.y - was.y) / 2);
        this.zoom(after / before, { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 });
      }
      down.set(e.pointerId, now);
    });
    const up = (e) => {
      down.delete(e.pointerId);
      if (!down.size) { this.dragging = false; el.classList.remove("dragging"); }
    };
    el.addEventListener("pointerup", up);
    el.addEventListener("pointercancel", up);
    el.addEventListener("click", (e) => {
      if (this.dragged || e.target.closest(".zoom, .maps, .piece")) return;
      const cell = this.cellAt(e.clientX, e.clientY);
      if (cell) { this.#at(cell); this.on.cell?.(cell, e); } else this.on.nowhere?.();
    });
    el.addEventListener("keydown", (e) => this.#key(e));
  }

  #point(e) {
    const cell = this.cellAt(e.clientX, e.clientY);
    if (cell === this.pointed) return;
    this.pointed = cell;
    this.on.point?.(cell);
  }

  #at(cell) { this.cursor = cell; }

  #key(e) {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[e.key];
    if (e.key === "+" || e.key === "=") this.zoom(1.4);
    else if (e.key === "-") this.zoom(1 / 1.4);
    else if (e.key === "0") this.fit();
    else if (way && e.shiftKey) this.pan(-80 * way[0], -80 * way[1]);
    else if (way && this.on.cell && this.cells) this.#step(way);
    else if (e.key === "Enter" && e.target === this.element && this.cursor) this.on.cell?.(this.cursor, e);
    else return;
    e.preventDefault(); e.stopPropagation();
  }

  #step([dx, dy]) {
    const from = this.cells.get(this.cursor) ?? [...this.cells.values()][0];
    if (!from) return;
    let best = null;
    for (const cell of this.cells.values()) {
      const [x, y] = [cell.x - from.x, cell.y - from.y];
      const along = x * dx + y * dy;
      if (along <= this.size * 0.2) continue;
      const cost = along + 2.5 * Math.abs(x * dy) + 2.5 * Math.abs(y * dx);
      if (!best || cost < best.cost) best = { cost, cell };
    }
    this.#at((best?.cell ?? from).name);
    this.markCells("cursor", [{ cell: this.cursor, kind: "cursor" }]);
    this.look([this.cursor]);
    const here = this.pieces.filter((p) => p.cell === this.cursor).map((p) => p.title);
    this.#tell([this.cursor, ...here].join(" · "));
    this.on.point?.(this.cursor);
  }
}

function outline(cell) {
  const points = [];
  for (let i = 0; i < cell.shape.length; i += 2) points.push(`${cell.x + cell.shape[i]},${cell.y + cell.shape[i + 1]}`);
  return points.join(" ");
}

function inside(cell, x, y) {
  let odd = false;
  const n = cell.shape.length;
  for (let i = 0, j = n - 2; i < n; j = i, i += 2) {
    const [xi, yi, xj, yj] = [cell.x + cell.shape[i], cell.y + cell.shape[i + 1], cell.x + cell.shape[j], cell.y + cell.shape[j + 1]];
    if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) odd = !odd;
  }
  return odd;
}
