// The page Replay: a recorded game step by step, as each viewer knew it, and what else might be.

import { get, notice, post, send } from "../api.js";
import { card, cardInWords, cardSign, halfSuitInWords, holdersInWords, inSigns } from "../cards.js";
import { cardChoices, choices, dialog, halfSuitChoices, holderRows, opponentsOf, seatChoices } from "../choosing.js";
import { byId, el, fill, renew } from "../dom.js";
import { heatMap, percent } from "../heat_map.js";
import { scoreLine } from "../table_view.js";

const id = location.pathname.split("/")[2] ?? null;
const place = byId("replay");
const LATE = 300; // milliseconds without an answer after which the page says that it waits
const PACE = 1200; // milliseconds between events when it plays
const NAMES = { everyone: "everyone: all cards", public: "the public: no hand" };

/* Opening a record. */

async function start() {
  const text = el("textarea", { id: "text", spellcheck: "false", autocomplete: "off" });
  const file = el("input", { type: "file", id: "file", accept: ".lit,text/plain" });
  file.addEventListener("change", async () => {
    if (file.files[0]) await open(await file.files[0].text());
    file.value = "";
  });
  const drop = el(
    "div.drop",
    {},
    el("p", {}, "Drop a .lit file here, or choose one."),
    el("p.row", {}, el("label", { for: "file" }, "Record"), file),
  );
  drop.addEventListener("dragover", (event) => {
    event.preventDefault();
    drop.classList.add("over");
  });
  drop.addEventListener("dragleave", () => drop.classList.remove("over"));
  drop.addEventListener("drop", async (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    const [dropped] = event.dataTransfer.files;
    await open(dropped ? await dropped.text() : event.dataTransfer.getData("text"));
  });
  const finished = el("div");
  fill(
    place,
    el(
      "div.opening",
      {},
      el("p", {}, "Step through a recorded game, see what each player knew, and try what else could have been asked."),
      drop,
      finished,
      el(
        "details",
        {},
        el("summary", {}, "Paste a record"),
        el("p", {}, el("label", { for: "text" }, "The text of the record")),
        text,
        el("p.row", {}, el("button.first", { type: "button", onclick: () => open(text.value) }, "Open it")),
      ),
    ),
  );
  let tables = [];
  try {
    ({ tables } = await get("/replay/finished"));
  } catch {
    // Without the list a record can still be opened.
  }
  if (!tables.length) return;
  fill(
    finished,
    el("h2", {}, "Games that ended here"),
    el("ul.plain", {}, tables.map((table) => el("li", {}, el("button", { type: "button", onclick: () => openFinished(table.id) }, table.said)))),
  );
}

async function open(text) {
  const made = await send("/replay/records", { text });
  if (made) location.href = `/replay/${made.id}`;
}

async function openFinished(table) {
  const made = await send("/replay/finished", { id: table });
  if (made) location.href = `/replay/${made.id}`;
}

/* Where we are: game, event and viewer, which the address of the page says too. */

const asked = new URLSearchParams(location.search);
const at = { game: Number(asked.get("game") ?? 1), event: asked.has("event") ? Number(asked.get("event")) : null, viewer: asked.get("viewer") ?? "" };
let games = [];
let game = null; // as the viewer sees it
let moment = null; // what the viewer knew at the event
let review = null;
let values = null;
let playing = 0;
let supposed = { lines: [], found: [] }; // events supposed one after another
let draft = {};
const moments = new Map(); // what has come from the server

async function load() {
  try {
    ({ games } = await get(`/replay/${id}/games`));
    await loadGame();
  } catch (error) {
    notice(error.message);
  }
}

async function loadGame() {
  moments.clear();
  game = await get(`/replay/${id}/game?game=${at.game}&viewer=${at.viewer}`);
  at.viewer = game.viewer;
  build();
  await go(Math.min(at.event ?? 0, game.events.length));
  askReview();
  askValues();
}

async function setViewer(viewer) {
  at.viewer = viewer;
  moments.clear();
  try {
    game = await get(`/replay/${id}/game?game=${at.game}&viewer=${viewer}`);
  } catch (error) {
    notice(error.message);
  }
  await go(at.event);
}

async function setGame(number) {
  stop();
  at.game = number;
  at.event = 0;
  at.viewer = "";
  review = values = null;
  try {
    await loadGame();
  } catch (error) {
    notice(error.message);
  }
}

function momentOf(event) {
  const key = `${at.viewer} ${event}`;
  if (!moments.has(key)) {
    if (moments.size > 500) moments.clear();
    const request = get(`/replay/${id}/moment?game=${at.game}&event=${event}&viewer=${at.viewer}`);
    request.catch(() => moments.delete(key));
    moments.set(key, request);
  }
  return moments.get(key);
}

/** Go to the moment after so many events. */
async function go(event) {
  const { viewer } = at;
  at.event = event;
  supposed = { lines: [], found: [] };
  draft = {};
  const where = new URLSearchParams({ game: at.game, event, viewer });
  history.replaceState(null, "", `/replay/${id}?${where}`);
  showPlace();
  try {
    const late = setTimeout(() => at.event === event && at.viewer === viewer && showWaiting(), LATE);
    const found = await momentOf(event).finally(() => clearTimeout(late));
    if (at.event !== event || at.viewer !== viewer) return;
    moment = found;
    notice("");
    showMoment();
    if (event < game.events.length) momentOf(event + 1).catch(() => {});
  } catch (error) {
    notice(error.message);
    if (at.event === event && at.viewer === viewer) fill(byId("if"), el("p", {}, "What was known here could not be worked out."));
  }
}

function step(by) {
  stop();
  go(Math.max(0, Math.min(at.event + by, game.events.length)));
}

function slide(event) {
  const to = Number(event.target.value); // before the page shows the old place again
  stop();
  go(to);
}

function play() {
  if (playing) return stop();
  if (at.event === game.events.length) at.event = -1;
  const next = async () => {
    if (at.event >= game.events.length) return stop();
    await go(at.event + 1);
    if (playing) playing = setTimeout(next, PACE);
  };
  playing = setTimeout(next, 0);
  showPlace();
}

function stop() {
  clearTimeout(playing);
  playing = 0;
  if (game) showPlace();
}

document.addEventListener("keydown", (event) => {
  if (!game || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.target.closest("input:not([type=range]), textarea, select, dialog, [role=region]")) return;
  const onButton = event.target.closest("button, summary, a, input");
  const run = { ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => step(-Infinity), End: () => step(Infinity), " ": onButton ? null : play }[event.key];
  if (!run) return;
  event.preventDefault();
  run();
});

/* The parts of the page that stay; the rest is filled in when something changes. */

function build() {
  const last = game.events.length;
  const viewer = el("select", { id: "viewer", onchange: (event) => setViewer(event.target.value) }, game.viewers.map((name) => el("option", { value: name, selected: name === at.viewer }, NAMES[name] ?? seatName(name))));
  const others = games.length > 1
    ? [el("label", { for: "game" }, "Game"), el("select", { id: "game", onchange: (event) => setGame(Number(event.target.value)) }, games.map((each, i) => el("option", { value: i + 1, selected: i + 1 === at.game }, `${each.game}: ${each.events} events, ${each.score.A}–${each.score.B}`)))]
    : [];
  const slider = el("input", { type: "range", id: "slider", min: 0, max: last, value: at.event ?? 0, "aria-label": "event", oninput: slide });
  const button = (key, shown, said, run) => el("button", { type: "button", id: key, "aria-label": said, onclick: run }, shown);
  fill(
    place,
    el("p.row", {}, others, el("label", { for: "viewer" }, "As seen by"), viewer),
    el(
      "div.controls",
      {},
      el(
        "div.row",
        {},
        button("first", "«", "to the deal", () => step(-Infinity)),
        button("back", "‹", "one event back", () => step(-1)),
        slider,
        button("forward", "›", "one event on", () => step(1)),
        button("last", "»", "to the end", () => step(Infinity)),
        button("play", "Play", "play", play),
      ),
      el("p.happened", { id: "happened", role: "status" }),
    ),
    el(
      "div.two",
      {},
      el(
        "div",
        {},
        el("div.status", { id: "status" }),
        el("section", { id: "hands", "aria-label": "Players" }),
        el("section", { "aria-labelledby": "if-heading" }, el("h2", { id: "if-heading" }, "What if"), el("div", { id: "if" })),
        el("section", { id: "known", "aria-label": "What is known" }),
      ),
      el(
        "div",
        {},
        el("section", { "aria-labelledby": "value-heading" }, el("h2", { id: "value-heading" }, "How the game went"), el("div", { id: "values" }, el("p.quiet", {}, "The engine gets ready …"))),
        el("section", { "aria-labelledby": "marks-heading" }, el("h2", { id: "marks-heading" }, "Better moves"), el("div", { id: "marks" })),
        el("section", { "aria-labelledby": "log-heading" }, el("h2", { id: "log-heading" }, "Events"), el("ol.steps", { id: "events", tabindex: 0, "aria-label": "Events" })),
        el("p.row", {}, el("a.button", { href: `/replay/${id}/game.lit`, download: "game.lit" }, "Save the record"), el("a.button", { href: "/replay" }, "Another record")),
        el("p.quiet", {}, "Keys: ← → step, Home and End, space plays. The address of this page is a link to this moment, for whoever reaches this server."),
      ),
    ),
  );
  fill(byId("events"), [el("li", {}, logButton(0, "the deal")), ...game.events.map((event) => el("li", {}, logButton(event.number, event.said)))]);
  showMarks();
}

function logButton(number, said) {
  return el("button", { type: "button", "data-event": number, onclick: () => (stop(), go(number)) }, el("span.number", {}, number ? `${number}. ` : ""), inSigns(said));
}

function seatName(seat) {
  const { name } = game.seats[seat];
  return name ? `${seat}: ${name}` : seat;
}

function seats() {
  return Object.keys(game.seats);
}

/** What can be shown before the server answers. */
function showPlace() {
  const slider = byId("slider");
  slider.value = at.event;
  slider.setAttribute("aria-valuetext", at.event ? `event ${at.event} of ${game.events.length}` : "the deal");
  byId("back").disabled = byId("first").disabled = at.event <= 0;
  byId("forward").disabled = byId("last").disabled = at.event >= game.events.length;
  byId("play").textContent = playing ? "Stop" : "Play";
  byId("play").setAttribute("aria-label", playing ? "stop" : "play");
  const event = game.events[at.event - 1];
  byId("happened").textContent = event ? `${event.number}. ${inSigns(event.said)}` : "The deal.";
  const log = byId("events");
  for (const button of log.querySelectorAll("[aria-current]")) button.removeAttribute("aria-current");
  const here = log.querySelector(`[data-event="${at.event}"]`);
  if (here) {
    here.setAttribute("aria-current", "step");
    log.scrollTop = here.offsetTop - log.offsetTop - log.clientHeight / 2;
  }
  const cursor = byId("values").querySelector("line.cursor");
  if (cursor) moveCursor(cursor);
}

/** What depends on the moment, while the server works it out. */
function showWaiting() {
  fill(byId("if"), el("p.quiet", { role: "status" }, "What was known here is being worked out …"));
  fill(byId("known"));
}

function showMoment() {
  renew(byId("status"), scoreLine(moment, game.half_suits), el("p", {}, ending()));
  byId("hands").dataset.event = moment.events;
  byId("hands").dataset.viewer = moment.viewer;
  renew(byId("hands"), el("div.hands", {}, seats().map(seat)));
  showKnown();
  showIf();
}

function ending() {
  if (moment.turn) return `${moment.turn} is on turn.`;
  const { A, B } = moment.score;
  const how = A === B ? "a draw" : `team ${A > B ? "A" : "B"} ${game.unfinished ? "leads" : "wins"}`;
  return `The game is over: ${how} (${(moment.ended_by ?? "").replace("_", " ")}).`;
}

function seat(name) {
  const event = game.events[at.event - 1];
  const moved = event?.type === "ask" && event.hit && event.asker === name ? event.card : null;
  const hand = moment.hands[name];
  const count = moment.hand_sizes[name];
  return el(
    `div.player${moment.turn === name ? ".turn" : ""}`,
    {},
    el("p", {}, el(`strong.${name[0].toLowerCase()}`, {}, seatName(name)), el("span.quiet", {}, `${count} card${count === 1 ? "" : "s"}${moment.turn === name ? ", on turn" : ""}`)),
    hand ? el("div.cards-held", {}, hand.map((each) => card(each, each === moved ? "small.moved" : "small"))) : null,
  );
}

/* What the viewer knew. */

function showKnown() {
  renew(byId("known"), known());
}

function known() {
  const claims = moment.claims.filter((claim) => claim.certain);
  const certain = claims.map((claim) => {
    const who = claim.provers ? `${claim.provers.join(", ")} can prove ` : claim.team ? `Everyone can prove, for team ${claim.team}: ` : "Certain: ";
    return el("p.certain", {}, el("strong", {}, `${who}${halfSuitInWords(claim.half_suit)}. `), holdersInWords(claim.holders), claim.provers ? null : [" ", el("button", { type: "button", onclick: () => why(claim.half_suit, "") }, "Why?")]);
  });
  if (at.viewer === "everyone") return certain;
  const press = (name, seatOf) => why(name, moment.locations[name]?.[seatOf] ? "" : seatOf);
  const likely = moment.seat ? moment.claims.filter((claim) => !claim.certain && claim.probability >= 0.01).slice(0, 3) : [];
  return [
    certain,
    likely.map((claim) => el("p", {}, `${percent(claim.probability)} %: ${halfSuitInWords(claim.half_suit)}, ${holdersInWords(claim.holders)}`)),
    moment.asks?.length && moment.turn === moment.seat
      ? el("p", {}, el("strong", {}, "Likeliest asks: "), moment.asks.slice(0, 3).map((ask) => `${cardSign(ask.card)} of ${ask.target} ${percent(ask.probability)} %`).join(", "))
      : null,
    el("details", { open: mapIsOpen, ontoggle: openMap }, el("summary", { "data-key": "map" }, el("h2", {}, moment.seat ? `Where the cards were for ${moment.seat}` : "Where the cards were for everyone")), mapIsOpen ? [el("p.quiet", {}, dealsInWords(moment.deals)), el("div.wide", { tabindex: 0, role: "region", "aria-label": "Where the cards were" }, heatMap(moment.locations, seats(), "In percent; press a cell to see why", { deck: game.half_suits, onCell: press, own: moment.seat }))] : null),
  ];
}

/** The map is only made while it is open: it is most of what the page has to draw. */
function openMap(event) {
  const { open } = event.target;
  if (open === mapIsOpen) return;
  mapIsOpen = open;
  showKnown();
}

let mapIsOpen = matchMedia("(min-width: 60rem)").matches;

function dealsInWords(deals) {
  const count = BigInt(deals);
  if (count === 1n) return "One deal is possible.";
  return `${deals.length > 7 ? Number(count).toExponential(1).replace("e+", " × 10^") : count.toLocaleString()} deals are possible.`;
}

async function why(what, seatOf) {
  try {
    const said = await post(`/replay/${id}/why`, { ...here(), card: what, seat: seatOf });
    dialog(game.half_suits[what] ? halfSuitInWords(what) : cardInWords(what), el("p.said", {}, inSigns(said.text)));
  } catch (error) {
    notice(error.message);
  }
}

function here() {
  return { game: at.game, event: at.event, viewer: at.viewer };
}

/* The graph of values and the marks. */

async function askReview() {
  const { game: number } = at;
  try {
    const found = await get(`/replay/${id}/review?game=${number}`);
    if (at.game !== number) return;
    review = found;
    showMarks();
  } catch (error) {
    notice(error.message);
  }
}

async function askValues() {
  const { game: number } = at;
  try {
    const found = await get(`/replay/${id}/values?game=${number}`);
    if (at.game !== number) return;
    const before = values?.done;
    values = found;
    if (before !== found.done || found.failed) {
      showValues();
      showMarks();
    }
    if (found.done < found.of && !found.failed) setTimeout(() => at.game === number && askValues(), 1000);
  } catch (error) {
    fill(byId("values"), el("p", {}, error.message));
    setTimeout(() => at.game === number && askValues(), 15000);
  }
}

function showValues() {
  const { done, of, failed, graph, budget } = values;
  const parts = [];
  if (failed) parts.push(el("p.bad", {}, `The engine stopped: ${failed}. Load the page again to let it go on.`));
  else if (done < of) parts.push(el("p.quiet", {}, `The engine values the game: ${done} of ${of} `, el("progress", { max: of, value: done, "aria-label": "moments valued" })));
  if (graph) {
    const svg = new DOMParser().parseFromString(graph, "text/html").querySelector("svg");
    const cursor = document.createElementNS("http://www.w3.org/2000/svg", "line");
    cursor.setAttribute("class", "cursor");
    svg.append(cursor);
    svg.addEventListener("click", (event) => {
      const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
      stop();
      go(Math.max(0, Math.min(Math.round((point.x / WIDTH) * game.events.length), game.events.length)));
    });
    moveCursor(cursor);
    parts.push(svg);
    const here = accuracies();
    if (here && done === of) parts.push(el("p", {}, here));
    parts.push(el("p.quiet", {}, `What team A can expect, in percent (a win is 100), by all cards if they are known. ${budget} rollouts for each decision. Press the graph to go there.`));
  }
  fill(byId("values"), parts);
}

const WIDTH = 800; // of the graph, in its own units
const HEIGHT = 200;

function moveCursor(cursor) {
  const x = (WIDTH * at.event) / Math.max(game.events.length, 1);
  for (const [name, value] of Object.entries({ x1: x, x2: x, y1: 0, y2: HEIGHT })) cursor.setAttribute(name, value);
}

function accuracies() {
  const found = Object.entries(values.accuracy);
  return found.length ? `Accuracy: ${found.map(([name, value]) => `${name} ${value.toFixed(1)}`).join(", ")}` : "";
}

function showMarks() {
  const mark = (event, sign, said) => el("li", {}, el("button", { type: "button", "data-key": `mark ${event} ${sign}`, onclick: () => (stop(), go(event)) }, el("span.number", {}, `${event} ${sign}`.trim()), el("span", {}, inSigns(said))));
  const parts = [];
  if (values?.marks.length) parts.push(el("h3", {}, "The engine"), el("ol.steps", {}, values.marks.map((each) => mark(each.event, "", each.said))), el("p.quiet", {}, values.legend));
  else if (values && values.done === values.of) parts.push(el("p", {}, "The engine found no mistake that is beyond its error."));
  if (review) {
    parts.push(el("h3", {}, "By what the player knew"), el("p.quiet", {}, review.views));
    parts.push(review.faults.length ? el("ol.steps", {}, review.faults.map((each) => mark(each.event, each.kind, each.said))) : el("p", {}, "No ask was hopeless and no claim was a gamble."));
    if (review.late.length) parts.push(el("h3", {}, "Claims that could have come earlier"), el("ul.plain", {}, review.late.map((said) => el("li", {}, inSigns(said)))));
  }
  fill(byId("marks"), parts.length ? parts : el("p.quiet", {}, "The game is being reviewed …"));
}

/* What if. */

function showIf() {
  fill(byId("if"), suppose());
}

/** The position after what is supposed. */
function position() {
  return supposed.found.at(-1) ?? moment;
}

function suppose() {
  if (!moment.turn && !supposed.found.length) return el("p", {}, "The game is over here; step back to try something else.");
  const now = position();
  return [
    supposed.found.length ? [el("ol.plain", {}, supposed.found.map((found) => el("li", {}, inSigns(found.said)))), el("p.row", {}, el("button", { type: "button", "data-key": "over", onclick: startOver }, "Back to the game"), supposed.found.length > 1 ? el("button", { type: "button", "data-key": "undo", onclick: takeBack }, "Take back the last") : null)] : null,
    draft.impossible ? impossible(draft.impossible) : null,
    supposed.found.length ? proved(now) : null,
    now.turn ? el("details", { open: draft.open || !supposed.found.length, ontoggle: (event) => (draft.open = event.target.open) }, el("summary", { "data-key": "try" }, supposed.found.length ? "And then …" : `${now.turn} is on turn: try something else`), tryForm(now)) : null,
  ];
}

function startOver() {
  supposed = { lines: [], found: [] };
  draft = { open: true };
  showIf();
}

function takeBack() {
  supposed.lines.pop();
  supposed.found.pop();
  draft = {};
  showIf();
}

function pick(name, value) {
  draft[name] = draft[name] === value ? undefined : value;
  draft.open = true;
  showIf();
}

function tryForm(now) {
  const everyone = at.viewer === "everyone";
  const kinds = [["ask", "Ask", null], ["claim", "Claim", null]];
  if (now.legal_passes.length) kinds.push(["pass", "Pass", null]);
  const kind = draft.kind ?? (now.hand_sizes[now.turn] || !now.legal_passes.length ? "ask" : "pass");
  const tabs = choices("what", kinds, kind, (value) => {
    draft = { kind: value, open: true };
    showIf();
  }, "tabs");
  if (kind === "pass") return [tabs, seatChoices("to whom", now.legal_passes, null, (to) => tryLine(`pass ${now.turn} ${to}`), now.hand_sizes)];
  if (kind === "claim") return [tabs, claimForm(now, everyone)];
  const targets = opponentsOf(now.turn, seats()).filter((name) => now.hand_sizes[name] > 0);
  const { target, card: name } = draft;
  const line = `ask ${now.turn} ${target} ${name}`;
  const ready = Boolean(target && name);
  const answers = everyone
    ? el("button.first", { type: "button", "data-key": "try ask", disabled: !ready, onclick: () => tryLine(line) }, "Ask")
    : [el("button.hit", { type: "button", "data-key": "try hit", disabled: !ready, onclick: () => tryLine(`${line} hit`) }, "If it hits"), el("button.miss", { type: "button", "data-key": "try miss", disabled: !ready, onclick: () => tryLine(`${line} miss`) }, "If it misses")];
  return [
    tabs,
    seatChoices("whom to ask", targets, target, (value) => pick("target", value), now.hand_sizes),
    cardChoices("for which card", now.in_play.filter((half) => mayAsk(now, half)), game.half_suits, name, (value) => pick("card", value)),
    el("div.bar", {}, el("p", {}, ready ? `${now.turn} asks ${target} for ${cardSign(name)}` : "Whom, and for which card?"), el("div.row", {}, answers)),
  ];
}

/** Whether the player on turn may ask for cards of the half-suit, as far as their hand is seen. */
function mayAsk(now, halfSuit) {
  if (supposed.found.length || !moment.hands[now.turn]) return true;
  return game.half_suits[halfSuit].some((name) => moment.hands[now.turn].includes(name));
}

function claimForm(now, everyone) {
  draft.claimant ??= now.claimants.includes(now.turn) ? now.turn : undefined;
  draft.holders ??= {};
  const { claimant, halfSuit } = draft;
  const split = game.rules.split(" ").includes("split-claims");
  const cards = halfSuit ? game.half_suits[halfSuit] : [];
  const named = seats().filter((name) => split || (claimant && name[0] === claimant[0]));
  const ready = claimant && cards.length > 0 && cards.every((name) => draft.holders[name]);
  const line = ready ? `claim ${claimant} ${halfSuit} ${cards.map((name) => draft.holders[name]).join(" ")}` : "";
  return [
    now.claimants.length > 1 ? seatChoices("who claims", now.claimants, claimant, (value) => ((draft.holders = {}), pick("claimant", value))) : null,
    halfSuitChoices("which half-suit", now.in_play, halfSuit, (value) => ((draft.holders = {}), pick("halfSuit", value))),
    halfSuit && claimant ? holderRows("who holds it", cards, named, draft.holders, () => ((draft.open = true), showIf())) : null,
    el("div.bar", {}, el("p", {}, ready ? `${claimant} claims ${halfSuitInWords(halfSuit)}` : "Which half-suit, and who holds each card?"), el("button.first", { type: "button", "data-key": "try claim", disabled: !ready, onclick: () => tryLine(everyone ? line : `${line} right`) }, everyone ? "Claim" : "If it is right")),
  ];
}

async function tryLine(line) {
  const before = { ...at };
  try {
    const found = await post(`/replay/${id}/what-if`, { ...here(), lines: [...supposed.lines, line] });
    if (at.event !== before.event || at.viewer !== before.viewer || at.game !== before.game) return;
    notice("");
    if (found.impossible) {
      draft.impossible = found;
      draft.open = true;
    } else {
      supposed.lines.push(found.line);
      supposed.found.push(found);
      draft = {};
    }
    showIf();
    byId("if-heading").scrollIntoView();
  } catch (error) {
    notice(error.message);
  }
}

function impossible(found) {
  const { what, steps, because } = found.impossible;
  return el(
    "div.refusal",
    { role: "alert" },
    el("p", {}, el("strong", {}, `${inSigns(found.said)} – that cannot be: ${inSigns(what)}.`)),
    steps.length ? el("ul.plain", {}, steps.map((step) => el("li", {}, inSigns(step.text)))) : null,
    because.filter(Boolean).length ? el("p.row", {}, "It takes events ", because.filter((number) => number > 0 && number <= game.events.length).map((number) => el("button", { type: "button", onclick: () => go(number) }, String(number)))) : null,
  );
}

/** What an event that is supposed would prove. */
function proved(found) {
  const who = found.learner ?? "everyone";
  const lines = [];
  const places = (cards) => Object.entries(cards).map(([name, holder]) => `${cardSign(name)} at ${holder}`).join(", ");
  if (found.chance !== null) lines.push(`The chance of that was ${percent(found.chance)} % for ${who}.`);
  if (Object.keys(found.located).length) lines.push(`It proves to ${who}: ${places(found.located)}.`);
  for (const claim of found.claims) lines.push(`${who} can now claim ${halfSuitInWords(claim.half_suit)} for certain: ${holdersInWords(claim.holders)}.`);
  const publicly = Object.fromEntries(Object.entries(found.revealed).filter(([name]) => !(name in found.located)));
  if (Object.keys(publicly).length && found.learner) lines.push(`It proves to everyone: ${places(publicly)}.`);
  for (const claim of found.exposed) lines.push(`The other team can then prove ${halfSuitInWords(claim.half_suit)}: ${holdersInWords(claim.holders)}.`);
  for (const claim of found.likelier.filter((each) => each.after >= 0.01).slice(0, 3)) lines.push(`${halfSuitInWords(claim.half_suit)} becomes likelier: ${percent(claim.before)} % → ${percent(claim.after)} %, ${holdersInWords(claim.holders)}.`);
  if (lines.length < 2 && !found.claims.length) lines.push("It proves no place of a card.");
  if (found.turn) lines.push(`${found.turn} is then on turn.`);
  const before = supposed.found.at(-2)?.learner === found.learner ? supposed.found.at(-2).locations : moment.seat === found.learner && at.viewer !== "everyone" ? moment.locations : null;
  return el(
    "div.panel",
    {},
    el("ul.plain", {}, lines.map((said) => el("li", {}, said))),
    el("details", { open: mapIsOpen }, el("summary", { "data-key": "after" }, `Where the cards would be for ${who}`), el("p.quiet", {}, dealsInWords(found.deals)), el("div.wide", { tabindex: 0, role: "region", "aria-label": "Where the cards would be" }, heatMap(found.locations, seats(), before ? "In percent; what changes is marked" : "In percent", { deck: game.half_suits, was: before, own: found.learner }))),
  );
}

if (id) load();
else start();
