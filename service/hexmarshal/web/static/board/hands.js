// Mouse, fingers and keys on a map: what is dragged moves it, what is clicked is told.

const CLICK = 5;

/** Listen to what hands do on a board. */
export function hands(board) {
  const el = board.element;
  const down = new Map();
  let start = null;
  el.addEventListener("wheel", (e) => {
    e.preventDefault();
    board.zoom(Math.exp(-e.deltaY * (e.deltaMode ? 0.05 : 0.0015)), { x: e.clientX, y: e.clientY });
  }, { passive: false });
  el.addEventListener("pointerdown", (e) => {
    if (e.target.closest(".zoom, .maps")) return;
    down.set(e.pointerId, { x: e.clientX, y: e.clientY });
    board.dragged = false;
    start = { x: e.clientX, y: e.clientY };
  });
  el.addEventListener("pointermove", (e) => {
    const was = down.get(e.pointerId);
    if (!was) { board.point(board.cellAt(e.clientX, e.clientY)); return; }
    const now = { x: e.clientX, y: e.clientY };
    if (!board.dragged && Math.hypot(now.x - start.x, now.y - start.y) < CLICK) return;
    if (!board.dragged) { board.dragged = board.dragging = true; el.setPointerCapture(e.pointerId); el.classList.add("dragging"); }
    if (down.size === 1) board.pan(now.x - was.x, now.y - was.y);
    else pinch(board, was, now, [...down].find(([id]) => id !== e.pointerId)[1]);
    down.set(e.pointerId, now);
  });
  const up = (e) => {
    down.delete(e.pointerId);
    if (!down.size) { board.dragging = false; el.classList.remove("dragging"); }
  };
  el.addEventListener("pointerup", up);
  el.addEventListener("pointercancel", up);
  el.addEventListener("click", (e) => {
    if (board.dragged || e.target.closest(".zoom, .maps, .piece")) return;
    const cell = board.cellAt(e.clientX, e.clientY);
    if (cell) { board.cursor = cell; board.on.cell?.(cell, e); } else board.on.nowhere?.();
  });
  el.addEventListener("keydown", (e) => {
    if (!pressed(board, e)) return;
    e.preventDefault(); e.stopPropagation();
  });
}

/** Two fingers: one has moved, the other stays. */
function pinch(board, was, now, other) {
  const before = Math.hypot(was.x - other.x, was.y - other.y) || 1;
  const after = Math.hypot(now.x - other.x, now.y - other.y) || 1;
  board.pan((now.x - was.x) / 2, (now.y - was.y) / 2);
  board.zoom(after / before, { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 });
}

/** Whether a key means something here. */
function pressed(board, e) {
  const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[e.key];
  if (e.key === "+" || e.key === "=") board.zoom(1.4);
  else if (e.key === "-") board.zoom(1 / 1.4);
  else if (e.key === "0") board.fit();
  else if (way && e.shiftKey) board.pan(-80 * way[0], -80 * way[1]);
  else if (way && board.on.cell && board.cells) board.step(way);
  else if (e.key === "Enter" && e.target === board.element && board.cursor) board.on.cell?.(board.cursor, e);
  else return false;
  return true;
}
