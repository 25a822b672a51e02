// The page Watch: two teams of bots play. The server plays a little ahead of what is shown here;
// the address of the page says which game, which event and who looks.

import { get, notice, send } from "../api.js";
import { card, inSigns } from "../cards.js";
import { choices } from "../choosing.js";
import { byId, el, fill } from "../dom.js";
import { scoreLine, teamClass } from "../table_view.js";

const FIELDS = ["a", "b", "players", "rules", "seed"];
const PACES = [[4000, "slow"], [1500, "calm"], [500, "quick"], [120, "fast"]];
const AHEAD = 12; // more is fetched when fewer events are left
const form = byId("form");

let settings = null; // what the game was started with
let viewer = "everyone";
let game = null; // as the viewer sees it, with all events that have come
let hands = []; // after each number of events, {seat: cards} as far as the viewer sees them
let at = 0;
let pace = 1500;
let playing = false;
let timer = 0;
let fetching = null;

const query = (more) => new URLSearchParams({ ...settings, viewer, ...more }).toString();

/* The game: its events come as they are played. */

/** Fetch what comes after the events that are here. */
function fetchMore() {
  if (fetching) return fetching;
  const [of, as] = [settings, viewer];
  const request = get(`/watch/game?${query({ after: game?.events.length ?? 0 })}`)
    .then((got) => {
      if (of !== settings || as !== viewer) return;
      if (game) got.events.unshift(...game.events);
      game = got;
      follow();
    })
    .finally(() => {
      if (fetching === request) fetching = null;
    });
  fetching = request;
  return request;
}

/** Work out the hands after the events that are new. */
function follow() {
  if (!hands.length) {
    const dealt = Object.entries(game.seats).filter(([, { hand }]) => hand);
    hands.push(Object.fromEntries(dealt.map(([seat, { hand }]) => [seat, hand])));
  }
  const order = Object.values(game.half_suits).flat();
  for (const event of game.events.slice(hands.length - 1)) {
    const now = { ...hands.at(-1) };
    if (event.type === "ask" && event.hit) {
      if (now[event.target]) now[event.target] = now[event.target].filter((name) => name !== event.card);
      if (now[event.asker]) now[event.asker] = [...now[event.asker], event.card].sort((x, y) => order.indexOf(x) - order.indexOf(y));
    } else if (event.type === "claim") {
      const gone = game.half_suits[event.half_suit];
      for (const seat of Object.keys(now)) now[seat] = now[seat].filter((name) => !gone.includes(name));
    }
    hands.push(now);
  }
}

/** Start the game of these settings at an event. */
async function open(chosen, event = 0) {
  pause();
  settings = chosen;
  game = fetching = null;
  hands = [];
  at = 0;
  notice("");
  fill(byId("watch"), el("p", { role: "status" }, "The cards are dealt …"));
  try {
    await reach(event);
  } catch (error) {
    settings = null;
    fill(byId("watch"));
    byId("setup").open = true;
    notice(error.message);
    return false;
  }
  byId("setup").open = false;
  byId("setup-said").textContent = `${chosen.a} against ${chosen.b}, ${chosen.players} players${chosen.rules ? `, ${chosen.rules}` : ""}`;
  build();
  show();
  return true;
}

/** Go to an event, fetching as far as it takes; as far as there are events. */
async function reach(event) {
  while (!game || (!game.over && game.events.length < event)) await fetchMore();
  at = Math.min(event, game.events.length);
}

async function lookAs(name) {
  viewer = name;
  game = null;
  hands = [];
  fetching = null;
  try {
    await reach(at);
  } catch (error) {
    notice(error.message);
    return;
  }
  show();
}

/* Pace. */

function pause() {
  playing = false;
  clearTimeout(timer);
}

async function step(by) {
  try {
    await reach(Math.max(0, at + by));
  } catch (error) {
    pause();
    notice(error.message);
    return;
  }
  show();
  if (!game.over && game.events.length - at < AHEAD) fetchMore().catch((error) => notice(error.message));
}

async function run() {
  if (!playing) return;
  await step(1);
  if (game && game.over && at === game.events.length) {
    pause();
    show();
  } else if (playing) {
    timer = setTimeout(run, pace);
  }
}

function toggle() {
  if (playing) pause();
  else {
    playing = true;
    if (game.over && at === game.events.length) at = 0;
    run();
  }
  show();
}

async function toTheEnd() {
  pause();
  playing = true;
  try {
    while (playing && !game.over) {
      await fetchMore();
      at = game.events.length;
      show();
    }
    at = game.events.length;
  } catch (error) {
    notice(error.message);
  }
  playing = false;
  show();
}

/* The record. */

async function openReplay() {
  try {
    const response = await fetch(`/watch/game.lit?${query({})}`);
    const made = await send("/replay/records", { text: await response.text() });
    if (made) location.assign(`/replay/${made.id}`);
  } catch {
    notice("The server does not answer. Is it still running?");
  }
}

/* What is shown. */

const parts = {};

/** The parts of the page that stay, whatever is shown in them. */
function build() {
  parts.happened = el("p.happened", { "aria-live": "polite" });
  parts.buttons = el("div.row");
  parts.slider = el("input", { type: "range", min: 0, step: 1, "aria-label": "Event", oninput: () => { pause(); at = Number(parts.slider.value); show(); } });
  parts.status = el("div.status");
  parts.hands = el("div.hands");
  parts.events = el("ol.log", { tabindex: "0", "aria-label": "Events" });
  parts.paces = el("div");
  parts.viewers = el("select", { id: "viewer", onchange: () => lookAs(parts.viewers.value) });
  parts.record = el("div.row");
  fill(
    byId("watch"),
    el("div.controls", {}, parts.happened, parts.buttons, el("div.row", {}, parts.slider)),
    el("div.row.pace", {}, parts.paces, el("p.row", {}, el("label", { for: "viewer" }, "Look as"), parts.viewers)),
    el(
      "div.two",
      {},
      el("section", { "aria-label": "Table" }, parts.status, parts.hands),
      el(
        "section",
        { "aria-labelledby": "events-heading" },
        el("h2", { id: "events-heading" }, "Events"),
        parts.events,
        parts.record,
      ),
    ),
  );
}

/** What is true after the event that is shown: turn, score and hand sizes. */
function position() {
  if (at > 0) return game.events[at - 1];
  const size = Object.values(game.half_suits).flat().length / game.players;
  return { turn: game.start, score: { A: 0, B: 0 }, hand_sizes: Object.fromEntries(Object.keys(game.seats).map((seat) => [seat, size])) };
}

function happened() {
  if (at === 0) return "The cards are dealt.";
  const said = inSigns(game.events[at - 1].said);
  if (!game.over || at < game.events.length) return said;
  const { A, B } = game.score;
  return `${said}. The game is over: ${A === B ? "a draw" : `team ${A > B ? "A" : "B"} has won`}, ${A} to ${B}.`;
}

function button(key, text, label, onclick, disabled = false) {
  return el(`button${key === "play" ? ".first" : ""}`, { type: "button", "data-key": key, "aria-label": label, onclick, disabled }, text);
}

function seat(name, now) {
  const moved = at > 0 ? game.events[at - 1] : {};
  const held = hands[at][name];
  return el(
    `div.hand${name === now.turn ? ".turn" : ""}`,
    { role: "group", "aria-label": `${name}${name === now.turn ? ", on turn" : ""}` },
    el("p", {}, el(`b.${teamClass(name)}`, {}, name), el("span.quiet", {}, `${game.seats[name].name}, ${now.hand_sizes[name]} ${now.hand_sizes[name] === 1 ? "card" : "cards"}`)),
    held ? el("div.fan", {}, held.map((each) => card(each, each === moved.card && moved.hit && name === moved.asker ? "small.moved" : "small"))) : null,
  );
}

function show() {
  const ended = game.over && at === game.events.length;
  const now = position();
  history.replaceState(null, "", `?${query({ event: at })}`);
  parts.happened.textContent = happened();
  fill(
    parts.buttons,
    button("first", "«", "To the beginning", () => { pause(); at = 0; show(); }, at === 0),
    button("back", "‹", "One event back", () => { pause(); step(-1); }, at === 0),
    button("play", playing ? "Pause" : "Play", playing ? "Pause" : "Play", toggle),
    button("step", "›", "One event on", () => { pause(); step(1); }, ended),
    button("last", "»", "To the end", toTheEnd, ended),
  );
  parts.slider.max = String(game.events.length);
  parts.slider.value = String(at);
  parts.slider.setAttribute("aria-valuetext", `event ${at} of ${game.over ? "" : "at least "}${game.events.length}`);
  const claimed = game.events.slice(0, at).filter((event) => event.type === "claim").map((event) => event.half_suit);
  const in_play = Object.keys(game.half_suits).filter((name) => !claimed.includes(name));
  fill(parts.status, scoreLine({ score: now.score, in_play }, game.half_suits));
  fill(parts.hands, Object.keys(game.seats).map((name) => seat(name, now)));
  fill(parts.paces, choices("Pace", PACES, pace, (chosen) => { pace = chosen; show(); }));
  fill(parts.viewers, game.viewers.map((name) => el("option", { value: name }, name === "everyone" ? "everyone: open cards" : name === "public" ? "the public: no hand" : name)));
  parts.viewers.value = viewer;
  showEvents();
  const file = `/watch/game.lit?${query({})}`;
  fill(
    parts.record,
    game.over
      ? [el("a.button", { href: file, download: "game.lit" }, "Save the record"), el("button", { type: "button", "data-key": "replay", onclick: openReplay }, "Open in Replay")]
      : el("p.quiet", {}, "The record can be saved and replayed when the game has been played to its end."),
  );
}

/** The log up to the event that is shown; only what differs is touched. */
function showEvents() {
  const list = parts.events;
  while (list.children.length > at) list.lastElementChild.remove();
  for (const event of game.events.slice(list.children.length, at)) {
    list.append(el("li.line", {}, el("span.number", {}, String(event.number)), el("span", {}, inSigns(event.said))));
  }
  list.scrollTop = list.scrollHeight;
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const chosen = Object.fromEntries(FIELDS.map((name) => [name, form.elements[name].value.trim()]));
  chosen.seed ||= String(Math.floor(Math.random() * 1e9));
  viewer = "everyone";
  open(chosen).then((opened) => {
    if (opened) toggle();
  });
});

document.addEventListener("keydown", (event) => {
  if (!game || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.target.closest("input, select, textarea, button, a, summary")) return;
  const keys = { ArrowRight: () => { pause(); step(1); }, ArrowLeft: () => { pause(); step(-1); }, " ": toggle, Home: () => { pause(); at = 0; show(); }, End: toTheEnd };
  if (!keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
});

const asked = new URLSearchParams(location.search);
if (asked.has("a") && asked.has("seed")) {
  const linked = Object.fromEntries(FIELDS.map((name) => [name, asked.get(name) ?? ""]));
  for (const name of FIELDS) form.elements[name].value = linked[name];
  viewer = asked.get("viewer") ?? "everyone";
  open(linked, Number(asked.get("event") ?? 0));
}
