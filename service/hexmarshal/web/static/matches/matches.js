// The first page: the matches there are, and a new one.

import { Refused, all, call, get, plain, record, token } from "../shared/api.js";
import { $, h, put, say } from "../shared/dom.js";

const state = { games: [], game: null, scenarios: [], scenario: null, details: null, start: null };

$("token").addEventListener("submit", (event) => {
  event.preventDefault();
  token.set($("secret").value.trim());
  $("secret").value = "";
  load();
});

async function load() {
  try {
    state.games = await all("GameService/ListGames", {}, "games");
  } catch (error) {
    if (error instanceof Refused && error.code === "unauthenticated") {
      if (token.get()) say("This token is not valid.", "error");
      token.set("");
      $("token").hidden = false;
      $("secret").focus();
      return;
    }
    say(error.message, "error");
    return;
  }
  $("token").hidden = true;
  $("new").hidden = $("list").hidden = false;
  put($("games"), state.games.map((game) => h("button", {
    type: "button", "aria-pressed": "false", "data-game": game.key, disabled: Boolean(game.problem), onclick: () => pick(game),
  }, h("b", {}, game.title), h("small", {}, game.problem || `rules version ${game.version}`))));
  await list();
}

/** What is on the page belongs to what was chosen before: nothing of it can be changed while it is replaced. */
function still() {
  for (const control of $("setting").querySelectorAll("button, input, select")) control.disabled = true;
}

async function pick(game) {
  state.game = game;
  for (const button of $("games").children) button.setAttribute("aria-pressed", button.dataset.game === game.key);
  still();
  try {
    const [scenarios, details] = await Promise.all([
      all("GameService/ListScenarios", { game: game.key }, "scenarios"),
      call("GameService/GetGame", { game: game.key }).then((answer) => answer.game),
    ]);
    if (state.game !== game) return; // another one was picked meanwhile
    Object.assign(state, { scenarios, details });
  } catch (error) { say(error.message, "error"); return; }
  if (!(state.details.actions ?? []).length) {
    put($("setting"), h("p", { class: "dim" }, "This game answers questions, and cannot be played yet."));
    return;
  }
  await choose(state.scenarios[0]);
}

async function choose(scenario) {
  state.scenario = scenario;
  still();
  // The sides of a scenario are those of its position: not every side plays in every one.
  const found = await call("GameService/GetScenario", { game: state.game.key, scenario: scenario.key }).catch(() => null);
  if (state.scenario !== scenario) return; // another one was chosen meanwhile
  const sides = found?.position?.sides ?? (state.details.sides ?? []).map((s) => s.key);
  const titles = Object.fromEntries((state.details.sides ?? []).map((s) => [s.key, s.title]));
  const seats = sides.map((side, i) => ({ side, title: titles[side] ?? side, who: i === 0 ? "me" : "open" }));
  put($("setting"),
    h("p", {}, h("label", { for: "scenario" }, "Scenario "),
      h("select", { id: "scenario", onchange: (e) => choose(state.scenarios.find((s) => s.key === e.target.value)) },
        state.scenarios.map((s) => h("option", { value: s.key, selected: s.key === scenario.key }, s.title)))),
    h("p", { class: "dim" }, scenario.doc ?? "", scenario.turns ? ` ${scenario.turns} turns.` : ""),
    h("div", { class: "seats" }, seats.map((seat) => h("label", {},
      h("span", {}, seat.title),
      h("select", { "data-seat": seat.side, onchange: (e) => { seat.who = e.target.value; } },
        h("option", { value: "me", selected: seat.who === "me" }, "I play it here"),
        h("option", { value: "open", selected: seat.who === "open" }, "another page or player"),
        h("option", { value: "random" }, "the random player"))))),
    h("details", {}, h("summary", {}, "Options"), ...options()),
    h("p", { class: "row" }, h("label", {}, "Title ", h("input", { type: "text", id: "title", maxlength: "200" })),
      h("button", { type: "button", class: "go", id: "create", onclick: () => create(seats) }, "Begin")));
}

function options() {
  return (state.details.options ?? []).map(({ param, default: usual }) => {
    const value = plain(usual);
    const id = `option-${param.name}`;
    const input = param.type === "PARAM_TYPE_BOOL"
      ? h("input", { type: "checkbox", id, checked: value === true })
      : param.choices?.length
        ? h("select", { id }, param.choices.map((c) => h("option", { value: c, selected: c === value }, c)))
        : h("input", { type: param.type === "PARAM_TYPE_INT" ? "number" : "text", id, value: value ?? "" });
    input.dataset.option = param.name;
    input.dataset.usual = JSON.stringify(value);
    return h("p", {}, h("label", { for: id }, input, " ", param.name.replaceAll("_", " ")), h("br"), h("small", {}, param.doc ?? ""));
  });
}

function chosenOptions() {
  const found = {};
  for (const input of document.querySelectorAll("[data-option]")) {
    const value = input.type === "checkbox" ? input.checked : input.type === "number" ? Number(input.value) : input.value;
    if (JSON.stringify(value) !== input.dataset.usual) found[input.dataset.option] = value;
  }
  return found;
}

/** Where a page for these seats is. */
export function address(match, sides, random = []) {
  const query = new URLSearchParams({ match, side: sides.join(",") });
  if (random.length) query.set("random", random.join(","));
  return `/match.html?${query}`;
}

async function create(seats) {
  const button = $("create");
  button.disabled = true;
  try {
    const mine = seats.filter((s) => s.who === "me").map((s) => s.side);
    const random = seats.filter((s) => s.who === "random").map((s) => s.side);
    const open = seats.filter((s) => s.who === "open");
    // Where people have names, one's seats are taken as the match is made: who knows one side can take no other later.
    const { name } = token.get() ? await get("/me") : { name: "" };
    const { match } = await call("MatchService/CreateMatch", {
      seats: name ? [...mine, ...random].map((side) => ({ side, player: name })) : [],
      game: state.game.key, scenario: state.scenario.key, title: $("title").value, options: record(chosenOptions()),
      idempotencyKey: crypto.randomUUID?.() ?? String(Math.random()),
    });
    if (!open.length) { location.href = address(match.id, mine.length ? mine : [seats[0].side], random); return; }
    $("made").hidden = false;
    put($("made"), h("h2", {}, "The match has begun"),
      mine.length ? h("p", {}, h("a", { id: "mine", href: address(match.id, mine, random) }, "Take your seat: ", mine.join(", "))) : "",
      open.map((seat) => h("p", {}, h("a", { class: "other", "data-side": seat.side, target: "_blank", rel: "noopener", href: address(match.id, [seat.side]) },
        `A seat for somebody else: ${seat.title}`))));
    ($("made").querySelector("a")).focus();
    await list();
  } catch (error) { say(error.message, "error"); } finally { button.disabled = false; }
}

async function list() {
  const [{ matches: own = [] }, { matches: open = [] }] = await Promise.all([
    call("MatchService/ListMatches", { pageSize: 50 }).catch((error) => { say(error.message, "error"); return {}; }),
    call("LobbyService/ListOpenMatches", { pageSize: 50 }).catch(() => ({})),
  ]);
  const known = new Set(own.map((match) => match.id));
  const matches = [...own, ...open.filter((match) => !known.has(match.id))];
  const titles = Object.fromEntries(state.games.map((g) => [g.key, g.title]));
  put($("matches"), matches.length ? h("table", {}, h("tbody", {}, matches.map((match) => h("tr", {},
    h("td", {}, h("b", {}, match.title || titles[match.game] || match.game), h("br"), h("small", {}, `${match.scenario} · ${new Date(match.createTime).toLocaleString()}`)),
    h("td", {}, (match.seats ?? []).map((seat) => [h("a", { href: address(match.id, [seat.side]) }, seat.side), seat.player ? h("small", {}, ` ${seat.player}`) : "", " "])),
    h("td", { class: "n" }, `${match.version ?? 0} events`))))) : h("p", { class: "dim" }, "None yet."));
}

load();
