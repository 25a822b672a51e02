// Small helpers for elements. Text goes in as text only, never as HTML.

/**
 * An element: el("button.card", {type: "button", onclick: f, "aria-pressed": true}, "text", child).
 * Functions become listeners, true an empty attribute, false, null and undefined none.
 */
export function el(what, attributes = {}, ...children) {
  const [tag, ...classes] = what.split(".");
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(" ");
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.replace(/^on/, ""), value);
    else if (name.startsWith("aria-")) element.setAttribute(name, String(value));
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...there(children));
  return element;
}

/** The element with this id, which must be there. */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`there is no #${id}`);
  return element;
}

/**
 * Put these children in place of all others. The focus stays on the element with the same data-key
 * as the one that had it.
 */
export function fill(parent, ...children) {
  keepingFocus(parent, () => parent.replaceChildren(...there(children)));
}

/**
 * As fill, but what is there already stays where it fits, so that only what differs is drawn again.
 * Elements that stay keep their listeners: these must depend on nothing but the data-key. Controls
 * without a data-key are always new.
 */
export function renew(parent, ...children) {
  keepingFocus(parent, () => merge(parent, there(children)));
}

function there(children) {
  return children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
}

function keepingFocus(parent, change) {
  const had = parent.contains(document.activeElement) ? document.activeElement : null;
  const key = had?.dataset.key;
  change();
  if (key === undefined || (had.isConnected && had.dataset.key === key)) return;
  const same = [...parent.querySelectorAll("[data-key]")].find((each) => each.dataset.key === key);
  if (same) same.focus();
}

/** Make these nodes, or texts, the children, and let those stay that are the same by their places. */
function merge(parent, wanted) {
  wanted.forEach((child, place) => {
    const node = child instanceof Node ? child : document.createTextNode(child);
    const old = parent.childNodes[place];
    if (!old) parent.append(node);
    else if (fits(old, node)) update(old, node);
    else parent.replaceChild(node, old);
  });
  while (parent.childNodes.length > wanted.length) parent.lastChild.remove();
}

function fits(old, node) {
  if (old.nodeName !== node.nodeName) return false;
  if (node.nodeType !== Node.ELEMENT_NODE) return true;
  if (old.dataset.key !== node.dataset.key) return false;
  return node.dataset.key !== undefined || !node.matches("button, input, select, textarea");
}

function update(old, node) {
  if (node.nodeType !== Node.ELEMENT_NODE) {
    if (old.data !== node.data) old.data = node.data;
    return;
  }
  for (const name of old.getAttributeNames()) if (!node.hasAttribute(name)) old.removeAttribute(name);
  for (const name of node.getAttributeNames()) {
    const value = node.getAttribute(name);
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  merge(old, [...node.childNodes]);
}

/** Text that only screen readers get. */
export function spoken(text) {
  return el("span.spoken", {}, text);
}
