// Elements, made without markup: what a file or a player wrote is always text, never HTML.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, props, children) {
  for (const [key, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null) continue;
    if (key.startsWith("aria-")) { element.setAttribute(key, value); continue; } // "false" is a value there
    if (value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "class") element.setAttribute("class", value);
    else if (key === "style") for (const [k, v] of Object.entries(value)) element.style.setProperty(k, v);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat(4).filter((c) => c !== null && c !== undefined && c !== false && c !== ""));
  return element;
}

/** An element with attributes, listeners (`onclick`) and children; texts stay texts. */
export function h(tag, props, ...children) {
  return fill(document.createElement(tag), props, children);
}

/** The same for a drawing. */
export function s(tag, props, ...children) {
  return fill(document.createElementNS(SVG, tag), props, children);
}

/** Put new children in the place of all old ones. */
export function put(element, ...children) {
  element.replaceChildren(...children.flat(4).filter((c) => c !== null && c !== undefined && c !== false && c !== ""));
  return element;
}

export const $ = (id) => document.getElementById(id);

/** Say something that is not on the page otherwise; screen readers read it out. */
export function say(text, kind = "info") {
  const toast = $("toast");
  toast.className = `toast ${kind}`;
  toast.textContent = text;
  clearTimeout(say.timer);
  if (text) say.timer = setTimeout(() => say(""), kind === "error" ? 9000 : 4000);
}

/** A row of tabs over panels; `pick(name)` shows one. */
export function tabs(bar, panels, onpick = () => {}) {
  const names = Object.keys(panels);
  const buttons = {};
  const pick = (name, focus = false) => {
    for (const each of names) {
      const on = each === name;
      buttons[each].setAttribute("aria-selected", on);
      buttons[each].tabIndex = on ? 0 : -1;
      panels[each].element.hidden = !on;
    }
    if (focus) buttons[name].focus();
    onpick(name);
  };
  put(bar, names.map((name, i) => {
    panels[name].element.setAttribute("role", "tabpanel");
    panels[name].element.setAttribute("aria-label", panels[name].title);
    return (buttons[name] = h("button", {
      type: "button", role: "tab", id: `tab-${name}`,
      onclick: () => pick(name),
      onkeydown: (e) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
        if (!step) return;
        e.preventDefault(); e.stopPropagation();
        pick(names[(i + step + names.length) % names.length], true);
      },
    }, panels[name].title));
  }));
  bar.setAttribute("role", "tablist");
  return pick;
}
