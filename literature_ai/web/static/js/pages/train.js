// The page Train: a puzzle, an answer, and why. The puzzles of a day are the same for everyone.

import { get, notice, send } from "../api.js";
import { card, cardInWords, cardSign, halfSuitInWords, halfSuitSign, inSigns } from "../cards.js";
import { cardChoices, choices, holderRows, seatChoices } from "../choosing.js";
import { byId, el, fill } from "../dom.js";
import { percent } from "../heat_map.js";
import { answerTo, remember, streak } from "../progress.js";
import { teamClass } from "../table_view.js";

const SEATS = ["A1", "B1", "A2", "B2", "A3", "B3", "A4", "B4"];
const form = byId("form");
const coming = new Map(); // puzzles that have been asked for, by name

let mode = "day";
let day = []; // the names of today's puzzles
let puzzle = null;
let draft = {}; // the answer so far
let verdict = null;
let shown = "all"; // which events of the log

const today = () => {
  const now = new Date();
  const two = (number) => String(number).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
};

/* Which puzzle. */

function fetchPuzzle(name) {
  if (!coming.has(name)) {
    if (coming.size > 50) coming.clear();
    const request = get(`/train/puzzles/${name}`);
    request.catch(() => coming.delete(name));
    coming.set(name, request);
  }
  return coming.get(name);
}

function anyName() {
  const kinds = [...form.elements.kind.options].map((option) => option.value).filter(Boolean);
  const kind = form.elements.kind.value || kinds[Math.floor(Math.random() * kinds.length)];
  return `${kind}-${form.elements.rules.value}-${form.elements.level.value}-${Math.floor(Math.random() * 1e9)}`;
}

/** The puzzle after this one; null when the day is done. */
let following = null;
function nextName() {
  if (mode === "day") return day.find((name) => answerTo(name) === undefined && name !== puzzle?.name) ?? null;
  following ??= anyName();
  return following;
}

let wanted = null;
async function go(name) {
  wanted = name;
  following = null;
  notice("");
  const waiting = setTimeout(() => {
    byId("waiting").textContent = "Our agents play until such a position comes up …";
  }, 150);
  try {
    const found = await fetchPuzzle(name);
    if (wanted !== name) return;
    puzzle = found;
    draft = puzzle.kind === "claim" ? { holders: Object.fromEntries(puzzle.own.map((each) => [each, puzzle.viewer])) } : {};
    verdict = null;
    shown = "all";
    history.replaceState(null, "", `?puzzle=${name}`);
    [, form.elements.rules.value, form.elements.level.value] = name.split("-");
    show();
    const next = nextName();
    if (next) fetchPuzzle(next).catch(() => {});
  } catch (error) {
    if (wanted === name) notice(error.message);
  } finally {
    clearTimeout(waiting);
    if (wanted === name) byId("waiting").textContent = "";
  }
}

async function setMode(chosen) {
  mode = chosen;
  following = null;
  showModes();
  await go(mode === "practice" ? nextName() : (day.find((name) => answerTo(name) === undefined) ?? day[0]));
}

/** Begin with the puzzle that the address names, or with those of today. */
async function start() {
  try {
    day = (await get(`/train/daily/${today()}`)).puzzles;
  } catch (error) {
    notice(error.message);
    return;
  }
  const linked = new URLSearchParams(location.search).get("puzzle");
  if (!linked) {
    await setMode("day");
    return;
  }
  mode = day.includes(linked) ? "day" : "practice";
  showModes();
  await go(linked);
}

/* The answer. */

function answerReady() {
  if (puzzle.kind === "claim") return puzzle.cards.every((name) => draft.holders[name]);
  if (puzzle.kind === "miss") return Boolean(draft.card && draft.seat);
  return Boolean(draft.target);
}

async function give(answer) {
  const { name } = puzzle;
  const found = await send(`/train/puzzles/${name}`, answer);
  if (!found || puzzle.name !== name) return;
  verdict = found;
  remember(name, verdict.right);
  if (verdict.because.length) shown = "cited";
  show();
  const heading = byId("verdict");
  heading.focus({ preventScroll: true });
  heading.scrollIntoView({ block: "start" });
}

/* What is shown. */

function question() {
  const { kind, viewer } = puzzle;
  if (kind === "claim") return `You are ${viewer}. Can you be certain who holds ${halfSuitInWords(puzzle.half_suit)}?`;
  if (kind === "ask") return `You are ${viewer}, on turn. Which ask is best?`;
  return `You are ${viewer}. ${inSigns(puzzle.log.at(-1).replace(/: miss$/, ""))}, and misses. What does that prove?`;
}

function facts() {
  return el(
    "p.facts.quiet",
    {},
    el("span", {}, puzzle.level),
    el("span", {}, `score A ${puzzle.score.A} – B ${puzzle.score.B}`),
    el("span", {}, puzzle.rules || "usual rules"),
    el("span", {}, `in play: ${puzzle.in_play.map(halfSuitSign).join(", ")}`),
  );
}

function sizes() {
  const seats = SEATS.slice(0, puzzle.players);
  return el(
    "ul.sizes",
    { "aria-label": "Cards in each hand" },
    seats.map((seat) => el(`li.${teamClass(seat)}${seat === puzzle.viewer ? ".you" : ""}`, {}, `${seat}: ${puzzle.hand_sizes[seat]}`)),
  );
}

function asked() {
  const { kind } = puzzle;
  if (kind === "claim") {
    return [
      holderRows("Who holds it", puzzle.cards, puzzle.seats, draft.holders, show),
      bar("It is certain", draft, el("button", { type: "button", "data-key": "open", onclick: () => give({ certain: false }) }, "Not certain yet")),
    ];
  }
  if (kind === "miss") {
    const seats = SEATS.slice(0, puzzle.players).filter((seat) => seat !== puzzle.viewer);
    const many = puzzle.proves > 1 ? `It proves ${puzzle.proves} cards; name one of them.` : "It proves where one card is.";
    return [
      el("p", {}, `${many} Tap the card, then its seat.`),
      cardChoices("Card", Object.keys(puzzle.unknown), puzzle.unknown, draft.card, (name) => choose({ card: name })),
      seatChoices("Seat", seats, draft.seat, (seat) => choose({ seat })),
      bar(draft.card && draft.seat ? `${cardSign(draft.card)} is with ${draft.seat}` : "Answer", draft),
    ];
  }
  const options = puzzle.options.map((option, place) => [place, `${cardSign(option.card)} of ${option.target}`, `the ${cardInWords(option.card)} of ${option.target}`]);
  const chosen = puzzle.options.findIndex((option) => option.card === draft.card && option.target === draft.target);
  return [
    choices("Asks", options, chosen, (place) => choose(puzzle.options[place]), "large"),
    bar("Ask this", draft),
  ];
}

function choose(part) {
  draft = { ...draft, ...part };
  show();
}

function bar(text, answer, other = null) {
  return el(
    "div.row.bar",
    {},
    el("button.first", { type: "button", "data-key": "answer", disabled: !answerReady(), onclick: () => give(answer) }, text),
    other,
  );
}

function optionsTable() {
  const rows = verdict.options.map((option) => {
    const lost = option.loss_se ? `${(100 * option.loss).toFixed(1)} ± ${(100 * option.loss_se).toFixed(1)}` : "best";
    const chosen = option.card === draft.card && option.target === draft.target;
    return el(
      `tr${chosen ? ".chosen" : ""}`,
      {},
      el("th.words", { scope: "row" }, `${cardSign(option.card)} of ${option.target}${chosen ? " (yours)" : ""}`),
      el("td", {}, percent(option.hit)),
      el("td", {}, lost),
    );
  });
  return el(
    "table",
    {},
    el("caption.quiet", {}, "Given away of the expected result (win 100 %, draw 50 %), with its standard error"),
    el("thead", {}, el("tr", {}, el("th.words", { scope: "col" }, "ask"), el("th", { scope: "col" }, "hit %"), el("th", { scope: "col" }, "lost %"))),
    el("tbody", {}, rows),
  );
}

function openCards() {
  return el(
    "ul.plain",
    {},
    Object.entries(verdict.open).map(([name, seats]) =>
      el("li", {}, `${cardSign(name)}: ${Object.entries(seats).map(([seat, chance]) => `${seat} ${percent(chance)}\u00A0%`).join(", ")}`),
    ),
  );
}

function proof() {
  return [
    el("h4", {}, "The smallest proof"),
    el("ol.proof", {}, verdict.because.map((step) => el(`li${step.depth ? ".deeper" : ""}`, {}, inSigns(step.text)))),
    el("p.quiet", {}, "Numbers are events; they are marked in the log."),
  ];
}

function outcome() {
  const next = nextName();
  const on = next
    ? el("button.first", { type: "button", "data-key": "next", onclick: () => go(next) }, mode === "day" ? "Next puzzle of today" : "Next puzzle")
    : el("button.first", { type: "button", "data-key": "next", onclick: () => setMode("practice") }, "Today is done: practise");
  return [
    el(
      `section.verdict.${verdict.right ? "right" : "wrong"}`,
      { id: "verdict", tabindex: "-1", "aria-labelledby": "verdict-heading" },
      el("h3", { id: "verdict-heading" }, verdict.right ? "✓ Right" : "✗ Not right"),
      el("p", {}, inSigns(verdict.said)),
      verdict.options ? optionsTable() : null,
      verdict.open && Object.keys(verdict.open).length ? openCards() : null,
      verdict.because.length ? proof() : null,
    ),
    el("div.row.bar", {}, on),
  ];
}

function isShown(number, sentence, cited) {
  if (shown === "cited") return cited.has(number);
  if (shown === "suit") {
    const names = halfSuitAsked();
    return names.some((name) => sentence.includes(name)) || sentence.includes(" claims ");
  }
  return true;
}

/** The cards of the half-suit that the question is about. */
function halfSuitAsked() {
  if (puzzle.kind === "claim") return puzzle.cards;
  const [name] = puzzle.log.at(-1)?.match(/\b([2-9TJQKA][SHDC]|[RB]J)\b/) ?? [];
  return Object.values(puzzle.deck).find((cards) => cards.includes(name)) ?? [];
}

function log() {
  const cited = new Set((verdict?.because ?? []).flatMap((step) => step.events));
  const suit = Object.entries(puzzle.deck).find(([, cards]) => cards === halfSuitAsked())?.[0] ?? puzzle.half_suit;
  const filters = [["all", "all"]];
  if (puzzle.kind !== "ask") filters.push(["suit", halfSuitSign(suit), halfSuitInWords(suit)]);
  if (cited.size) filters.push(["cited", "the proof"]);
  const list = el("ol.log", { tabindex: "0", "aria-label": "Events" });
  puzzle.log.forEach((sentence, place) => {
    const number = place + 1;
    if (!isShown(number, sentence, cited)) return;
    const last = puzzle.kind === "miss" && number === puzzle.log.length;
    list.append(
      el(
        `li${last ? ".last" : ""}${cited.has(number) ? ".cited" : ""}`,
        {},
        el("span.number", {}, String(number)),
        el("span", {}, inSigns(sentence)),
      ),
    );
  });
  return el(
    "section.events",
    { "aria-labelledby": "log-heading" },
    el("h3", { id: "log-heading" }, `What has happened: ${puzzle.log.length} events`),
    filters.length > 1 &&
      choices("Events shown", filters, shown, (value) => {
        shown = value;
        show();
      }),
    list,
  );
}

function show() {
  showModes();
  fill(
    byId("puzzle"),
    el(
      "div.head",
      {},
      el("h2", {}, question()),
      facts(),
      sizes(),
      el("div.fan", { role: "group", "aria-label": "Your hand" }, puzzle.hand.map((name) => card(name))),
    ),
    log(),
    el("div.answer", {}, verdict ? outcome() : asked()),
  );
  const list = byId("puzzle").querySelector(".log");
  list.scrollTop = list.scrollHeight;
}

function showModes() {
  const { row, best } = streak();
  byId("streak").textContent = best ? `${row} right in a row; your best is ${best}.` : "";
  fill(byId("modes"), choices("What to train", [["day", "Today’s five"], ["practice", "Practice"]], mode, setMode, "tabs"));
  byId("wanted").hidden = mode !== "practice";
  const { kind, level, rules } = form.elements;
  byId("wanted-said").textContent = [kind, level, rules].map((each) => each.selectedOptions[0].textContent).join(", ");
  byId("day").hidden = mode !== "day";
  const marks = day.map((name, place) => {
    const right = answerTo(name);
    const look = right === undefined ? "" : right ? ".solved" : ".failed";
    const said = right === undefined ? "open" : right ? "right" : "not right";
    return el(
      `button${look}`,
      { type: "button", "data-key": name, "aria-pressed": puzzle?.name === name, "aria-label": `Puzzle ${place + 1} of today: ${said}`, onclick: () => go(name) },
      `${place + 1}${right === undefined ? "" : right ? " ✓" : " ✗"}`,
    );
  });
  fill(byId("day"), el("div.day", { role: "group", "aria-label": "Puzzles of today" }, marks));
}

form.addEventListener("change", () => go(anyName()));
form.addEventListener("submit", (event) => event.preventDefault());

start();
