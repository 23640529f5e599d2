// What the rules answer, in words and figures: verdicts, resolutions, odds, actions.

import { number, plain } from "./api.js";
import { h } from "./dom.js";

/** A name of a program as words. */
export const words = (name) => String(name).replaceAll("_", " ").replaceAll("-", " ");

/** A value of a parameter, for people. */
export function told(value) {
  if (value === null || value === undefined) return "none";
  if (value === true) return "yes";
  if (value === false) return "no";
  if (Array.isArray(value)) return value.map(told).join(", ");
  if (typeof value === "object") return Object.entries(value).map(([k, v]) => `${words(k)} ${told(v)}`).join(", ");
  return String(value);
}

/** A cost as "3 movement points", empty if it is nothing. */
export function cost(bill) {
  const total = number(bill?.total);
  return total === "0" ? "" : `${total}${bill.unit ? ` ${bill.unit}` : ""}`;
}

/** A button that opens the rulebook at a rule. */
export function rule(id) {
  return id ? h("button", { type: "button", class: "rule", "data-rule": id, title: `open the rulebook at ${id}` }, id) : "";
}

/** Why something may not be done. */
export function violations(list, kind = "") {
  return (list ?? []).map((v) => h("div", { class: `why ${kind}` }, rule(v.rule), " ", v.text));
}

/** Odds as bars. */
export function odds(distribution) {
  const chances = distribution?.chances ?? [];
  const most = Math.max(...chances.map((c) => c.rounded ?? 0), 0.0001);
  return h("div", { class: "bars" }, chances.map((c) => [
    h("span", {}, c.outcome), h("i", { style: { width: `${(100 * (c.rounded ?? 0)) / most}%` } }),
    h("span", { title: c.exact }, `${(100 * (c.rounded ?? 0)).toFixed(1)} %`)]));
}

/** The likeliest outcomes in one line. */
export function odds_line(distribution) {
  const chances = [...(distribution?.chances ?? [])].sort((a, b) => (b.rounded ?? 0) - (a.rounded ?? 0));
  return chances.slice(0, 3).map((c) => `${c.outcome} ${Math.round(100 * (c.rounded ?? 0))} %`).join(" · ");
}

export function dice(rolls) {
  return h("span", { class: "dice" }, rolls.map((r) => h("span", { class: "die", title: `${r.pick ? "draw of" : "die with"} ${r.sides}${r.label ? `: ${r.label}` : ""}` }, String(r.value))));
}

/** A resolution with its arithmetic. */
export function resolution(r) {
  const rows = [
    ...(r.strengths ?? []).map((x) => [x.role || "strength", x.label, number(x.counted) === number(x.printed) ? number(x.counted) : `${number(x.printed)} → ${number(x.counted)}`, x.rules]),
    ...(r.modifiers ?? []).map((x) => [x.to || "modifier", x.label + (x.excludedBy ? " (does not count)" : ""), `${Number(x.amount?.numerator ?? 0) > 0 ? "+" : ""}${number(x.amount)}`, [x.rule, x.excludedBy]]),
  ];
  const column = r.column ? [r.baseColumn && r.baseColumn !== r.column ? `${r.baseColumn} → ` : "", r.column] : null;
  return h("div", { class: "card" },
    h("b", {}, words(r.kind ?? "")), r.result ? [": ", r.result] : "", " ", r.dice?.length ? dice(r.dice) : "",
    rows.length ? h("table", {}, h("tbody", {}, rows.map(([what, label, amount, rules]) => h("tr", {},
      h("td", {}, words(what)), h("td", {}, label), h("td", { class: "n" }, amount), h("td", {}, (rules ?? []).filter(Boolean).map(rule)))))) : "",
    column ? h("p", {}, "column ", h("b", {}, column)) : "",
    (r.steps ?? []).length ? h("ul", {}, r.steps.map((step) => h("li", {}, step.text, " ", rule(step.rule)))) : "");
}

/** An action in one line. */
export function action(doing, titles) {
  const params = Object.entries(plain({ fields: doing?.params?.fields ?? {} }) ?? {});
  return [titles?.[doing?.kind] ?? words(doing?.kind ?? "?"), params.length ? ": " : "",
    params.map(([name, value]) => (Array.isArray(value) ? value.map(told).join(name === "path" ? " → " : ", ") : value === true ? words(name) : value === false ? `no ${words(name)}` : told(value))).join(" · ")].join("");
}

const AROUND = {
  seatTaken: "takes a seat", seatLeft: "leaves the seat", proposed: "proposes something", answered: "answers a proposal",
  adjourned: "agrees to let the match rest", resumed: "agrees to go on", ended: "ends the match",
};

/** An entry of a match's record. */
export function happened(event, titles, sides) {
  const who = sides[event.side] ?? event.side ?? "";
  const done = event.actionDone;
  if (done) return { line: `${who}: ${action(done.action, titles)}${done.redacted ? " …" : ""}`, parts: (done.resolutions ?? []).map(resolution), rolls: done.rolls ?? [] };
  if (event.actionUndone) return { line: `${who} takes back event ${event.actionUndone.undoneVersion}`, parts: [], rolls: [] };
  if (event.actionBegun) return { line: `${who} begins: ${action(event.actionBegun.action, titles)}`, parts: [], rolls: [] };
  const word = Object.keys(AROUND).find((name) => event[name]);
  return { line: `${who} ${word ? AROUND[word] : "decides something secret"}`, parts: [], rolls: [] };
}
