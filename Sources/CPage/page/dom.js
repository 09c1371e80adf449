// SPDX-License-Identifier: Apache-2.0
// Making and changing elements, and announcements for screen readers.

const TOAST_MS = 8000
const ICONS = {
  user: "M8 8a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2.5 14a5.5 5.5 0 0 1 11 0",
  pause: "M5.5 3v10M10.5 3v10",
  play: "M5 3l8 5-8 5z",
  close: "M3.5 3.5l9 9M12.5 3.5l-9 9",
  previous: "M10 3L5 8l5 5",
  next: "M6 3l5 5-5 5",
  full: "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10",
  details: "M2.5 3h11v10h-11zM9.5 3v10",
  plus: "M8 3v10M3 8h10",
  minus: "M3 8h10",
  pin: "M5.5 2h5M6.5 2v5L4 9.5h8L9.5 7V2M8 9.5V14",
  tag: "M2.5 2.5h5l6 6-5 5-6-6zM5.5 5.5h.01",
  save: "M8 2v8M5 7l3 3 3-3M2.5 13.5h11",
  trash: "M3 4.5h10M6 4.5v-2h4v2M4.5 4.5l.5 9h6l.5-9",
  check: "M3 8.5l3.5 3.5L13 4.5",
  filter: "M2 3.5h12M4.5 8h7M6.5 12.5h3",
  calendar: "M2.5 4h11v9.5h-11zM2.5 7h11M5.5 2v3M10.5 2v3",
  still: "M2 5h3l1-2h4l1 2h3v8H2zM8 11.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z",
}
let toast

export const find = id => document.getElementById(id)

/** A new element. A function among its properties listens; the others are attributes, if not null or false. */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === "function") element.addEventListener(name, value)
    else if (value != null && value !== false) element.setAttribute(name, value === true ? "" : value)
  }
  element.append(...children.filter(child => child != null && child !== false))
  return element
}

export const button = (text, click, properties = {}) => make("button", { type: "button", click, ...properties }, text)

/** The rows of a list of terms; rows without a value are left out. */
export function terms(rows) {
  return rows.filter(([, value]) => value != null && value !== "")
    .map(([term, value]) => make("div", {}, make("dt", {}, term), make("dd", {}, value)))
}

/** Replaces the children of an element only if their text has changed, so that focus and selection stay. */
export function fill(element, ...children) {
  const next = make("div", {}, ...children)
  if (element.innerHTML !== next.innerHTML) element.replaceChildren(...next.childNodes)
}

/** Makes elements the children of another one in this order; one in its place stays, since it may have the focus. */
export function place(parent, elements) {
  const wanted = new Set(elements)
  for (const child of [...parent.children]) if (!wanted.has(child)) child.remove()
  let next = parent.firstElementChild
  for (const element of wanted) {
    if (element === next) next = next.nextElementSibling
    else parent.insertBefore(element, next)
  }
}

/** Changes a text only if it differs, so that it is not announced again. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text
}

/** Has screen readers announce the outcome of an action. */
export const announce = text => tell(text, null, "away")

/** Announces an outcome and shows it for some seconds, with a link to what it is about. */
export function tell(text, link, kind = "toast") {
  const outcome = find("outcome")
  outcome.className = kind
  outcome.replaceChildren(text, link ? " " : "", link ?? "")
  clearTimeout(toast)
  toast = setTimeout(() => { outcome.className = "away" }, TOAST_MS)
}

/** An icon of 16 by 16 pixels; its button has the name. */
export function icon(name) {
  const element = make("div")
  element.innerHTML = `<svg viewBox="0 0 16 16" aria-hidden="true"><path d="${ICONS[name]}"/></svg>`
  return element.firstChild
}

export const iconButton = (name, label, click, properties = {}) =>
  make("button", { type: "button", class: "icon", "aria-label": label, title: label, click, ...properties }, icon(name))

/** Replaces the options of a select after the first; the chosen one stays chosen. */
export function setOptions(select, names) {
  const chosen = select.value
  const all = chosen && !names.includes(chosen) ? [...names, chosen] : names
  if (all.join() === [...select.options].slice(1).map(option => option.value).join()) return
  select.replaceChildren(select.options[0], ...all.map(name => make("option", { value: name }, name)))
  select.value = chosen
}

/** Fills the screen with all of the page, so that outcomes are seen, or ends that. */
export function toggleFullScreen() {
  if (document.fullscreenElement) document.exitFullscreen()
  else document.documentElement.requestFullscreen?.()
}
