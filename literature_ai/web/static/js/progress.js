// What the browser remembers of a person's training: answers, streaks, days. It never leaves it.

const KEY = "literature-train";
const MOST = 1000;
const FRESH = { row: 0, best: 0, answers: {} };

function load() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY));
    if (kept && typeof kept.answers === "object") return { ...FRESH, ...kept };
  } catch {
    // A browser that keeps nothing still trains.
  }
  return { ...FRESH, answers: {} };
}

const progress = load();

/** How many were right in a row, and the best such row. */
export function streak() {
  return { row: progress.row, best: progress.best };
}

/** Whether the first answer to the puzzle was right; undefined if there is none. */
export function answerTo(name) {
  return progress.answers[name];
}

/** Remember the answer to a puzzle; only the first one counts. */
export function remember(name, right) {
  if (name in progress.answers) return;
  progress.answers[name] = right;
  progress.row = right ? progress.row + 1 : 0;
  progress.best = Math.max(progress.best, progress.row);
  const names = Object.keys(progress.answers);
  for (const old of names.slice(0, Math.max(0, names.length - MOST))) delete progress.answers[old];
  try {
    localStorage.setItem(KEY, JSON.stringify(progress));
  } catch {
    // As above.
  }
}
