// The part of a map that is seen: moved, zoomed, brought to where something is.

// So much of the map is shown around what lies on it.
const AROUND = 260;

export class MapWindow {
  /** `stage` is moved and scaled within `element`. */
  constructor(element, stage) {
    this.element = element; this.stage = stage;
    this.view = { x: 0, y: 0, scale: 1 };
    this.map = null;
    new ResizeObserver(() => this.#resized()).observe(element);
  }

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

  /** Closer to where points are, if they are in one part of the map. */
  frame(near) {
    const { clientWidth: w, clientHeight: hh } = this.element;
    if (near.length < 2 || !w) return;
    const span = (values, most) => [Math.max(0, Math.min(...values) - AROUND), Math.min(most, Math.max(...values) + AROUND)];
    const [left, right] = span(near.map((p) => p.x), this.map.w);
    const [top, bottom] = span(near.map((p) => p.y), this.map.h);
    const scale = Math.min(w / (right - left), hh / (bottom - top), 1);
    if (scale < this.view.scale * 1.25) return;
    // In the middle, but with nothing beside the map where there is more of the map to show.
    const placed = (room, middle, long) => {
      const at = room / 2 - middle * scale;
      return long * scale > room ? Math.min(0, Math.max(room - long * scale, at)) : (room - long * scale) / 2;
    };
    this.view = { scale, x: placed(w, (left + right) / 2, this.map.w), y: placed(hh, (top + bottom) / 2, this.map.h) };
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

  /** Bring points into sight, without moving if they are. */
  look(points) {
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
    if (this.waiting) return;
    this.waiting = requestAnimationFrame(() => {
      this.waiting = 0;
      this.stage.style.transform = `translate3d(${this.view.x}px, ${this.view.y}px, 0) scale(${this.view.scale})`;
    });
  }

  /** The point of the map at a point of the screen. */
  on(clientX, clientY) {
    const box = this.element.getBoundingClientRect();
    return [(clientX - box.left - this.view.x) / this.view.scale, (clientY - box.top - this.view.y) / this.view.scale];
  }

  /** The point of the screen where a point of the map is. */
  screen({ x, y }) {
    const box = this.element.getBoundingClientRect();
    return { x: box.left + this.view.x + x * this.view.scale, y: box.top + this.view.y + y * this.view.scale };
  }
}
