// SPDX-License-Identifier: Apache-2.0
// Elements, questions, announcements for screen readers, and times and numbers as texts.

const TOAST_MS = 8000
const ICONS = {
  user: "M8 8a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2.5 14a5.5 5.5 0 0 1 11 0",
  pause: "M5.5 3v10M10.5 3v10", play: "M5 3l8 5-8 5z", close: "M3.5 3.5l9 9M12.5 3.5l-9 9",
  previous: "M10 3L5 8l5 5", next: "M6 3l5 5-5 5",
  full: "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10",
  details: "M2.5 3h11v10h-11zM9.5 3v10", plus: "M8 3v10M3 8h10", minus: "M3 8h10",
  pin: "M5.5 2h5M6.5 2v5L4 9.5h8L9.5 7V2M8 9.5V14", tag: "M2.5 2.5h5l6 6-5 5-6-6zM5.5 5.5h.01",
  save: "M8 2v8M5 7l3 3 3-3M2.5 13.5h11", trash: "M3 4.5h10M6 4.5v-2h4v2M4.5 4.5l.5 9h6l.5-9",
  check: "M3 8.5l3.5 3.5L13 4.5", filter: "M2 3.5h12M4.5 8h7M6.5 12.5h3",
  calendar: "M2.5 4h11v9.5h-11zM2.5 7h11M5.5 2v3M10.5 2v3",
  still: "M2 5h3l1-2h4l1 2h3v8H2zM8 11.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z",
}
const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" })
const day = new Intl.DateTimeFormat(undefined, { year: "numeric", month: "short", day: "numeric" })
const thisYear = new Intl.DateTimeFormat(undefined, { weekday: "short", day: "numeric", month: "short" })
const offset = new Intl.DateTimeFormat("en", { timeZoneName: "longOffset" })
let toast

export const find = id => document.getElementById(id)

/** Goes to an address such as #live/garden; with `isSame` without an entry in the browser's history. */
export const go = (hash, isSame = false) => isSame ? location.replace(hash) : location.assign(hash)

/** A new element. A function among its properties listens; the others are attributes, if not null or false. */
export const make = (tag, ...rest) => complete(document.createElement(tag), ...rest)
export const svg = (tag, ...rest) => complete(document.createElementNS("http://www.w3.org/2000/svg", tag), ...rest)

function complete(element, properties = {}, ...children) {
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === "function") element.addEventListener(name, value)
    else if (value != null && value !== false) element.setAttribute(name, value === true ? "" : value)
  }
  element.append(...children.filter(child => child != null && child !== false))
  return element
}

export const button = (text, click, properties = {}) => make("button", { type: "button", click, ...properties }, text)

/** The rows of a list of terms; rows without a value are left out. */
export const terms = rows => rows.filter(([, value]) => value != null && value !== "")
  .map(([term, value]) => make("div", {}, make("dt", {}, term), make("dd", {}, value)))

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

/** Makes one element for each value the children of another one; that of the same key stays, and is updated. */
export function placeEach(parent, values, keyOf, create, update) {
  const known = new Map([...parent.children].map(child => [child.key, child]))
  place(parent, values.map(value => {
    const element = known.get(keyOf(value)) ?? Object.assign(create(value), { key: keyOf(value) })
    update?.(element, value)
    return element
  }))
}

/** Changes a text only if it differs, so that it is not announced again. */
export const say = (element, text) => { if (element.textContent !== text) element.textContent = text }

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
export const icon = name => svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }))
export const iconButton = (name, label, click, properties = {}) =>
  make("button", { type: "button", class: "icon", "aria-label": label, title: label, click, ...properties }, icon(name))

/** Replaces the options of a select after the first, and adds one more and the chosen one, which stays chosen. */
export function setOptions(select, names, more) {
  const chosen = select.value
  const all = [...new Set([...names, chosen, more])].filter(Boolean)
  if (all.join() === [...select.options].slice(1).map(option => option.value).join()) return
  select.replaceChildren(select.options[0], ...all.map(name => make("option", { value: name }, name)))
  select.value = chosen
}

/** Fills the screen with all of the page, so that outcomes are seen, or ends that. */
export const toggleFullScreen = () =>
  document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen?.()

/** True if the user agrees, after valid entries if `content` has fields. Escape means no. */
export function confirm(title, content, action, kind = "danger") {
  const dialog = find("confirm")
  dialog.returnValue = ""
  dialog.replaceChildren(make("form", { method: "dialog" }, make("h2", { id: "confirm-title" }, title),
    make("div", { id: "confirm-text" }, ...content), make("div", { class: "buttons" },
      button("Cancel", () => dialog.close("")), make("button", { value: "yes", class: kind }, action))))
  dialog.showModal()
  return new Promise(resolve =>
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true }))
}

/** The time zone of this browser at a moment, as in Europe/Berlin, UTC+01:00. */
function zone(date) {
  const name = offset.formatToParts(date).find(part => part.type === "timeZoneName").value.replace("GMT", "UTC")
  const place = offset.resolvedOptions().timeZone
  return place === "UTC" ? place : `${place}, ${name}`
}

/** A local day; the year is left out if it is this one. */
export const dayName = ms => (new Date(ms).getFullYear() === new Date().getFullYear() ? thisYear : day).format(ms)
export const clockTime = text => clock.format(new Date(text))

/** A moment in local time; the day is left out if it is today. */
export function moment(text) {
  const [date, today] = [text, Date.now()].map(time => day.format(new Date(time)))
  return date === today ? clockTime(text) : `${date}, ${clockTime(text)}`
}

export const fullMoment = text => `${day.format(new Date(text))}, ${clockTime(text)} (${zone(new Date(text))})`
export const timeOf = text => make("time", { datetime: text, title: fullMoment(text) }, moment(text))

/** A duration, as in 0.3 s, 12 s, 5 min, 3 h, 2 d. */
export function duration(ms) {
  const seconds = Math.max(ms, 0) / 1000
  if (seconds < 0.05) return "under 0.1 s"
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`
  if (seconds < 120) return `${Math.round(seconds)} s`
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`
  return seconds < 172800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86400)} d`
}

export const milliseconds = ms => ms == null ? null : `${ms < 100 ? ms.toFixed(1) : Math.round(ms)} ms`

export function bytes(count) {
  if (count < 1000) return `${count} B`
  const power = Math.min(Math.floor(Math.log10(count) / 3), 4)
  return `${(count / 1000 ** power).toFixed(1)} ${["", "kB", "MB", "GB", "TB"][power]}`
}

export const count = (number, noun) => `${number.toLocaleString()} ${noun}${number === 1 ? "" : "s"}`
export const pixels = ({ width, height }) => `${width} × ${height}`

/** A capture format, as in YUYV 640 × 360, 30 fps. */
export function format(value) {
  if (!value) return null
  const rate = value.rate ?? (value.interval && value.interval.denominator / value.interval.numerator)
  return `${value.pixelFormat} ${pixels(value)}${rate ? `, ${Number(rate.toFixed(2))} fps` : ""}`
}

export const sentence = word => word.charAt(0).toUpperCase() + word.slice(1)
export const valueText = value => value === true ? "on" : value === false ? "off" : String(value)
