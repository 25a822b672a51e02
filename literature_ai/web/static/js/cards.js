// Cards and half-suits: their names in words, and elements that show them. Suits differ by sign,
// by letter and by colour.

import { el, spoken } from "./dom.js";

const SIGNS = { S: "♠", H: "♥", D: "♦", C: "♣" };
const SUITS = { S: "spades", H: "hearts", D: "diamonds", C: "clubs" };
const RANKS = { A: "ace", K: "king", Q: "queen", J: "jack", T: "10" };

function isJoker(name) {
  return name === "RJ" || name === "BJ";
}

/** In words: "queen of hearts". */
export function cardInWords(name) {
  if (isJoker(name)) return name === "RJ" ? "red joker" : "black joker";
  return `${RANKS[name[0]] ?? name[0]} of ${SUITS[name[1]]}`;
}

/** Short, with the sign of the suit: "Q♥". */
export function cardSign(name) {
  if (isJoker(name)) return name === "RJ" ? "red ★" : "black ★";
  return `${name[0] === "T" ? "10" : name[0]}${SIGNS[name[1]]}\uFE0E`;
}

/** In words: "low spades". */
export function halfSuitInWords(name) {
  if (name === "EJ") return "eights and jokers";
  return `${name[0] === "L" ? "low" : "high"} ${SUITS[name[1]]}`;
}

/** Short, with the sign of the suit: "low ♠". */
export function halfSuitSign(name) {
  if (name === "EJ") return "8s ★";
  return `${name[0] === "L" ? "low" : "high"} ${SIGNS[name[1]]}\uFE0E`;
}

/** Holders, {card: seat}, by seat: "A1 2♠ 3♠, A2 4♠". */
export function holdersInWords(holders) {
  const by = {};
  for (const [card, seat] of Object.entries(holders)) (by[seat] ??= []).push(card);
  return Object.entries(by).map(([seat, cards]) => `${seat} ${cards.map(cardSign).join(" ")}`).join(", ");
}

/** The class that gives a card or half-suit its colour. */
export function suitClass(name) {
  if (name === "EJ") return "joker";
  if (isJoker(name)) return name === "RJ" ? "hearts" : "spades";
  return SUITS[name[1]];
}

/** The half-suit of a card, by the deck: {"LS": ["2S", …], …}. */
export function halfSuitOf(card, deck) {
  return Object.keys(deck).find((name) => deck[name].includes(card));
}

/** The inside of a card: rank above, sign below, words for screen readers. */
function face(name) {
  const rank = isJoker(name) ? "★" : name[0] === "T" ? "10" : name[0];
  const sign = isJoker(name) ? (name === "RJ" ? "red" : "black") : `${SIGNS[name[1]]}\uFE0E`;
  return [
    el("span.rank", { "aria-hidden": true }, rank),
    el("span.sign", { "aria-hidden": true }, sign),
    spoken(cardInWords(name)),
  ];
}

/** A card to look at. */
export function card(name, extra = "") {
  return el(`span.card.${suitClass(name)}${extra && `.${extra}`}`, {}, face(name));
}

/** A card to press. */
export function cardButton(name, attributes = {}, extra = "") {
  const what = `button.card.${suitClass(name)}${extra && `.${extra}`}`;
  return el(what, { type: "button", "data-key": name, ...attributes }, face(name));
}

/** "A1:2S,3S A2:4S" as "A1: 2S 3S; A2: 4S". */
function spaced(text) {
  return text.replace(/[AB][1-4]:\S+( [AB][1-4]:\S+)*/g, (layout) =>
    layout
      .split(" ")
      .map((held) => held.replace(":", ": ").replaceAll(/,(?=\S)/g, " "))
      .join("; "),
  );
}

/** Text in which names of cards and half-suits become signs, and layouts easy to read. */
export function inSigns(text) {
  return spaced(text)
    .replace(/\b([2-9TJQKA][SHDC]|[RB]J)\b/g, (name) => cardSign(name))
    .replace(/\b([LH][SHDC]|EJ)\b/g, (name) => halfSuitSign(name));
}
