// The counters on a map: laid in stacks, which spread when they are pointed at, tapped or focused.

import { h, put } from "../shared/dom.js";

const SMALLEST = 44;
const STEP = [4, 6];
const key = (piece) => `${piece.map}|${piece.x}|${piece.y}`;

const WORD = /[\p{L}\p{N}]/u;

/** The name of a counter, with what is written on it: who speaks to the page says what he reads. */
function spoken({ face, label, title }) {
  if (face || !label) return title;
  const at = title.indexOf(label);
  const whole = at >= 0 && !WORD.test(title[at - 1] ?? "") && !WORD.test(title[at + label.length] ?? "");
  return whole ? title : `${label}: ${title}`;
}

export class Stacks {
  /** `table` gives: map, size (of a cell), colours, faces, view, dragging, dragged, on, and hears of each piece laid: laid(id). */
  constructor(table) {
    this.table = table;
    this.nodes = new Map(); // of the pieces that lie here, by id
    this.made = new Map(); // all that were drawn for this map
    this.stacks = new Map();
    this.element = h("div", { class: "counters" });
  }

  /** Take everything away. */
  clear() { this.nodes.clear(); this.made.clear(); this.stacks.clear(); put(this.element); }

  /** Lay these pieces out, and no others. */
  lay(pieces) {
    const groups = new Map();
    for (const piece of pieces) {
      const at = key(piece);
      (groups.get(at) ?? groups.set(at, []).get(at)).push(piece);
    }
    this.top = 0;
    for (const [at, members] of groups) this.#place(at, members);
    for (const at of [...this.stacks.keys()]) if (!groups.has(at)) this.#place(at, []);
  }

  /** Take pieces away and put others down, and touch nothing else. */
  change(gone, come) {
    const left = new Set(gone.map((piece) => piece.id));
    const stacks = new Map();
    const members = (at) => stacks.get(at) ?? stacks.set(at, (this.stacks.get(at)?.members ?? []).filter((p) => !left.has(p.id))).get(at);
    for (const piece of gone) members(key(piece));
    for (const piece of come) members(key(piece)).push(piece);
    for (const [at, list] of stacks) this.#place(at, list);
  }

  /** Give a piece a class, or take it away. */
  mark(name, id, on) {
    const node = this.nodes.get(id);
    if (!node) return;
    node.classList.toggle(name, on);
    if (name === "choosable") node.tabIndex = on ? 0 : -1;
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
      this.element.append(stack.element);
      this.#listen(stack);
    }
    stack.element.style.zIndex = 1000 * (members[0].rank ?? 0) + ++this.top;
    const told = JSON.stringify(members);
    if (stack.told === told) return;
    stack.told = told;
    this.#pickUp(stack);
    stack.members = members;
    this.#fill(stack);
    stack.nodes.forEach((node, i) => this.nodes.set(members[i].id, node));
    for (const piece of members) this.table.laid(piece.id);
  }

  #pickUp(stack) {
    for (const piece of stack.members) if (this.nodes.get(piece.id)?.parentNode === stack.element) this.nodes.delete(piece.id);
    put(stack.element);
  }

  #fill(stack) {
    stack.nodes = stack.members.map((piece) => this.#counter(piece));
    this.#pile(stack);
    stack.element.replaceChildren(...stack.nodes);
    stack.element.classList.toggle("several", stack.members.length > 1);
    if (stack.spread) this.#spread(stack);
  }

  /** Each counter a little off the one below. */
  #pile(stack) {
    const [dx, dy] = this.table.map?.step ?? STEP;
    stack.nodes.forEach((node, i) => { node.style.left = `${i * dx}px`; node.style.top = `${-i * dy}px`; });
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
    const { table } = this;
    const node = h("button", { type: "button", class: `piece ${piece.what}`, tabindex: "-1", "aria-label": spoken(piece), title: piece.title });
    node.dataset.id = piece.id;
    if (piece.face) {
      const [src, w, hh, x, y] = piece.face;
      const image = h("img", { alt: "", draggable: "false", width: w, height: hh });
      image.src = table.faces?.[src] ?? src;
      node.append(image);
      node.style.marginLeft = `${-x}px`; node.style.marginTop = `${-y}px`;
      node.style.width = `${w}px`; node.style.height = `${hh}px`;
      node.wide = w;
    } else {
      const size = Math.round(table.size * 0.62);
      node.classList.add("drawn");
      node.style.background = table.colours?.[piece.side] ?? "#77736a";
      node.style.width = node.style.height = `${size}px`;
      node.style.marginLeft = node.style.marginTop = `${-size / 2}px`;
      node.style.fontSize = `${Math.max(7, Math.min(size / 3.2, (size * 1.5) / Math.max(3, (piece.label ?? "").length)))}px`;
      node.append(h("span", { "aria-hidden": "true" }, piece.label ?? ""));
      node.wide = size;
    }
    node.addEventListener("click", (event) => {
      if (table.dragged) return;
      event.stopPropagation();
      table.on.piece?.(node.piece, event);
    });
    node.addEventListener("focus", () => table.on.hover?.(node.piece));
    node.addEventListener("pointerenter", () => table.on.hover?.(node.piece));
    node.addEventListener("pointerleave", () => table.on.hover?.(null));
    return node;
  }

  // Spreading

  #listen(stack) {
    const open = (event) => {
      if (this.table.dragging || stack.members.length < 2 || stack.spread) return;
      if (event.pointerType === "touch") { event.preventDefault(); event.stopPropagation(); }
      this.gather(stack);
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
    const grown = Math.max(1, SMALLEST / (wide * this.table.view.scale));
    stack.element.classList.add("spread");
    stack.element.style.transform = grown > 1 ? `scale(${grown})` : "";
    stack.nodes.forEach((node, i) => {
      node.style.left = `${((i % columns) - (Math.min(count, columns) - 1) / 2) * wide}px`;
      node.style.top = `${(Math.floor(i / columns) - (Math.ceil(count / columns) - 1) / 2) * wide}px`;
    });
  }

  /** Gather all stacks that are spread, but one. */
  gather(but) { for (const stack of this.stacks.values()) if (stack !== but) this.#gather(stack); }

  #gather(stack) {
    if (!stack.spread) return;
    stack.spread = false;
    stack.element.classList.remove("spread");
    stack.element.style.transform = "";
    this.#pile(stack);
  }
}
