// A module: its maps and set-ups, its components, its counters, what lint finds.

import { get } from "../shared/api.js";
import { $, h, put, say, tabs } from "../shared/dom.js";

class ModulePage {
  constructor(file, board) {
    this.file = file; this.board = board;
    const part = (id) => h("section", { id });
    this.parts = { setups: part("setups"), counters: part("counters"), tree: part("tree"), lint: part("lint") };
    $("panels").append(...Object.values(this.parts));
    const loads = { counters: () => this.counters(), tree: () => this.tree(), lint: () => this.lint() };
    this.pick = tabs($("tabs"), {
      setups: { title: "Set-ups", element: this.parts.setups }, counters: { title: "Counters", element: this.parts.counters },
      tree: { title: "Components", element: this.parts.tree }, lint: { title: "Lint", element: this.parts.lint },
    }, (name) => loads[name] && (this[`${name}Loaded`] ??= loads[name]().catch((error) => say(error.message, "error"))));
    this.pick("setups");
    $("about").textContent = `${file.module} ${file.version}`;
    put(this.parts.setups, h("div", { class: "choices wide" }, file.setups.map((name, i) => h("button", { type: "button", "data-setup": i, onclick: () => this.setup(i) }, name))));
  }

  async setup(number) {
    const table = await get(`/setups/${number}`);
    for (const button of this.parts.setups.querySelectorAll("button")) button.setAttribute("aria-pressed", Number(button.dataset.setup) === number);
    await this.board.show(table);
  }

  async counters() {
    put(this.parts.counters, h("p", { class: "dim" }, "Drawing …"));
    const list = await get("/counters");
    const search = h("input", { type: "search", placeholder: `search ${list.length} counters`, "aria-label": "search counters" });
    const sheet = h("div", { class: "sheet" });
    const show = () => {
      const asked = search.value.toLowerCase();
      put(sheet, list.filter((c) => c.name.toLowerCase().includes(asked)).slice(0, 600).map((c) => {
        const image = c.face ? h("img", { alt: "", loading: "lazy", width: c.face[1], height: c.face[2] }) : h("span", { class: "dim" }, "no picture");
        if (c.face) image.src = c.face[0];
        return h("figure", { id: `counter-${c.line ?? c.gpid}`, "data-name": c.name }, image, h("figcaption", {}, c.name || "without a name"));
      }));
    };
    search.addEventListener("input", show);
    put(this.parts.counters, search, sheet);
    show();
    this.showCounter = (finding) => {
      this.pick("counters");
      search.value = ""; show();
      const wanted = sheet.querySelector(`[id="counter-${finding.place?.line}"]`) ?? [...sheet.children].find((f) => f.dataset.name && f.dataset.name === finding.place?.unit);
      if (!wanted) { search.value = finding.place?.unit ?? ""; show(); return; }
      for (const each of sheet.children) each.classList.toggle("wanted", each === wanted);
      wanted.scrollIntoView({ block: "center" });
    };
  }

  async tree() {
    put(this.parts.tree, h("p", { class: "dim" }, "Reading …"));
    const root = await get("/components");
    const node = (c, deep) => {
      const label = [h("b", {}, c.class), c.name ? ` ${c.name}` : ""];
      const facts = Object.entries(c.attributes ?? {});
      if (!c.children && !facts.length) return h("p", {}, label);
      const inside = h("div", { class: "branch" });
      const fill = () => {
        if (inside.childNodes.length) return;
        put(inside, facts.length ? h("details", {}, h("summary", { class: "dim" }, `${facts.length} attributes`), h("table", {}, h("tbody", {}, facts.map(([k, v]) => h("tr", {}, h("th", { scope: "row" }, k), h("td", {}, v)))))) : "", (c.children ?? []).map((x) => node(x, deep + 1)));
      };
      if (deep === 0) fill();
      return h("details", { open: deep === 0, ontoggle: fill }, h("summary", {}, label, c.children ? h("small", {}, ` ${c.children.length}`) : ""), inside);
    };
    put(this.parts.tree, node(root, 0));
  }

  async lint() {
    put(this.parts.lint, h("p", { class: "dim" }, "Looking …"));
    const found = await get("/lint");
    put(this.parts.lint, h("p", {}, found.length ? `${found.length} findings` : "Nothing is wrong with it."), found.slice(0, 400).map((f) => h("article", { class: "card" },
      h("div", { class: "row" }, h("span", { class: `badge ${{ error: "bad", warning: "warn" }[f.severity] ?? ""}` }, f.severity), h("b", {}, f.id)),
      h("p", {}, f.message), h("p", { class: "dim" }, [f.path, f.place?.unit, f.place?.line && `line ${f.place.line}`].filter(Boolean).join(" · ")), f.hint ? h("p", { class: "dim" }, f.hint) : "",
      f.place?.unit || f.place?.line ? h("button", { type: "button", class: "quiet", onclick: async () => { await (this.countersLoaded ??= this.counters()); this.showCounter(f); } }, "show the counter") : "")));
  }
}

export async function open(file, board) {
  const page = new ModulePage(file, board);
  await page.setup(file.setups.length > 1 ? 1 : 0);
  return page;
}
