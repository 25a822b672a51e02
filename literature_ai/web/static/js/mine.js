// The tables that this browser has been at, kept in it alone.

const KEY = "literature-tables";
const MOST = 30;

/** [{table, links: {seat: path}, about, when}], the newest first. */
export function myTables() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter((each) => each && typeof each.table === "string" && each.links) : [];
  } catch {
    return [];
  }
}

function keep(tables) {
  try {
    localStorage.setItem(KEY, JSON.stringify(tables.slice(0, MOST)));
  } catch {
    // A browser that keeps nothing still has the address of the page.
  }
}

/** Remember these links to seats of a table. */
export function remember(table, links, about) {
  const others = myTables().filter((each) => each.table !== table);
  const known = myTables().find((each) => each.table === table);
  keep([{ table, links: { ...known?.links, ...links }, about: about ?? known?.about ?? "", when: Date.now() }, ...others]);
}

export function forget(table) {
  keep(myTables().filter((each) => each.table !== table));
}
