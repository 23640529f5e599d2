"use strict";
const form = document.querySelector("form");
if (form) {
  const articles = [...document.querySelectorAll("article")];
  const sections = [...document.querySelectorAll("section.moment")];
  const buttons = [...document.querySelectorAll(".rules button")];
  const told = document.getElementById("told"), clear = document.getElementById("clear");
  const texts = new Map();
  const text = a => {
    if (!texts.has(a)) texts.set(a, a.textContent.toLowerCase());
    return texts.get(a);
  };
  const filter = () => {
    const on = new Set([...form.querySelectorAll("input[name=status]:checked")].map(i => i.value));
    const player = form.elements.player.value, rule = form.elements.rule.value;
    const words = form.elements.words.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const a of articles) {
      const fits = on.has(a.dataset.status) && (!player || a.dataset.player === player)
        && (!rule || a.dataset.rules.split(" ").includes(rule))
        && words.every(word => text(a).includes(word));
      a.hidden = !fits;
      shown += fits;
    }
    for (const s of sections) s.hidden = !s.querySelector("article:not([hidden])");
    for (const b of buttons) b.setAttribute("aria-pressed", String(b.dataset.rule === rule));
    told.textContent = shown + " of " + articles.length + " shown";
  };
  const reveal = () => {
    const target = /^#e\d+$/.test(location.hash) && document.getElementById(location.hash.slice(1));
    if (!target) return;
    if (target.hidden) {
      target.hidden = false;
      target.closest("section").hidden = false;
    }
    target.scrollIntoView();
  };
  form.addEventListener("input", filter);
  form.addEventListener("submit", event => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(filter));
  for (const b of buttons) b.addEventListener("click", () => {
    form.elements.rule.value = form.elements.rule.value === b.dataset.rule ? "" : b.dataset.rule;
    filter();
  });
  addEventListener("hashchange", reveal);
  addEventListener("beforeprint", () => document.querySelectorAll("details").forEach(d => { d.open = true; }));
  filter();
  reveal();
}
