"use strict";
for (const table of document.querySelectorAll("table")) {
  const body = table.tBodies[0], heads = [...table.tHead.rows[0].cells];
  const compare = new Intl.Collator("en", { numeric: true, sensitivity: "base" }).compare;
  heads.forEach((head, at) => head.querySelector("button").addEventListener("click", () => {
    const number = head.classList.contains("n");
    const up = head.ariaSort === "none" ? !number : head.ariaSort === "descending";
    const value = row => {
      const cell = row.cells[at], text = cell.dataset.by || cell.textContent;
      return number ? Number(text) : text;
    };
    const rows = [...body.rows].map(row => [value(row), row]);
    rows.sort(([a], [b]) => (up ? 1 : -1) * (number ? a - b : compare(a, b)));
    for (const other of heads) other.ariaSort = "none";
    head.ariaSort = up ? "ascending" : "descending";
    const sorted = document.createDocumentFragment();
    for (const [, row] of rows) sorted.append(row);
    body.append(sorted);
  }));
}
const form = document.querySelector("form");
if (form) {
  const rows = [...document.getElementById("files").tBodies[0].rows];
  const told = document.getElementById("told");
  const filter = () => {
    const on = new Set([...form.querySelectorAll("input[name=status]:checked")].map(i => i.value));
    const words = form.elements.words.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const text = words.length ? row.textContent.toLowerCase() : "";
      const fits = on.has(row.dataset.status) && words.every(word => text.includes(word));
      row.hidden = !fits;
      shown += fits;
    }
    told.textContent = shown + " of " + rows.length + " shown";
  };
  form.addEventListener("input", filter);
  form.addEventListener("submit", event => event.preventDefault());
  filter();
}
