// The cells of a map: which one is where, which side of it, which one is next.

/** Cells by name, each {name, x, y, shape}; the shape is its corners as they lie from its middle. */
export class Cells extends Map {
  constructor({ shapes, cells }) {
    super();
    for (const [name, x, y, shape] of cells) this.set(name, { name, x, y, shape: shapes[shape] });
    const first = cells[0];
    const xs = first ? shapes[first[3]].filter((_, i) => i % 2 === 0) : [0];
    this.breadth = Math.max(...xs) - Math.min(...xs) || 40;
    this.index = new Map();
    for (const cell of this.values()) {
      const at = this.#bucket(cell.x, cell.y);
      (this.index.get(at) ?? this.index.set(at, []).get(at)).push(cell);
    }
  }

  #bucket(x, y) { return `${Math.floor(x / (this.breadth * 2))},${Math.floor(y / (this.breadth * 2))}`; }

  /** The name of the cell at a point of the map; null if there is none. */
  at(x, y) {
    const reach = this.breadth * 2;
    let best = null;
    for (let i = -1; i <= 1; i++) for (let j = -1; j <= 1; j++) {
      for (const cell of this.index.get(this.#bucket(x + i * reach, y + j * reach)) ?? []) {
        if (inside(cell, x, y)) return cell.name;
        const far = (cell.x - x) ** 2 + (cell.y - y) ** 2;
        if (far < (this.breadth * 0.5) ** 2 && (!best || far < best.far)) best = { far, name: cell.name };
      }
    }
    return best?.name ?? null;
  }

  /** The side of a cell at a point of the map: the cell and its neighbour there, or null. */
  sideAt(x, y) {
    const name = this.at(x, y);
    const cell = this.get(name);
    if (!cell) return null;
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
      const other = this.at(best.px + (way * best.nx * 3) / long, best.py + (way * best.ny * 3) / long);
      if (other && other !== name) return { cells: [name, other], line: [best.from, best.to] };
    }
    return null;
  }

  /** The name of the nearest cell that way; of the cell itself if it is the last. */
  next(name, [dx, dy]) {
    const from = this.get(name) ?? [...this.values()][0];
    let best = null;
    for (const cell of this.values()) {
      const [x, y] = [cell.x - from.x, cell.y - from.y];
      const along = x * dx + y * dy;
      if (along <= this.breadth * 0.2) continue;
      const cost = along + 2.5 * Math.abs(x * dy) + 2.5 * Math.abs(y * dx);
      if (!best || cost < best.cost) best = { cost, cell };
    }
    return (best?.cell ?? from)?.name;
  }
}

/** The corners of a cell, as a polygon of a drawing takes them. */
export function outline(cell) {
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
