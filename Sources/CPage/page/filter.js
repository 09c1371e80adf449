// SPDX-License-Identifier: Apache-2.0
// The filter of frames: in the address, as a text of the API, and as one line that unfolds to a form.
import { notice } from "./api.js"
import { button, fill, icon, make, setOptions } from "./dom.js"
import { clockTime, dayName, moment } from "./format.js"

const TIMES = ["day", "from", "to"]
const PARTS = [...TIMES, "camera", "tag", "pinned", "where"]
const MINUTE_MS = 60000

/** A moment as a text of the API. */
export const isoTime = ms => new Date(ms).toISOString().replace(/(:00)?\.000Z$/, "Z")

export const joinConditions = (...conditions) => conditions.filter(Boolean).join(", ")

/** The local midnight that begins a day, some days later. */
export function midnight(time, days = 0) {
  const date = new Date(time)
  date.setHours(0, 0, 0, 0)
  date.setDate(date.getDate() + days)
  return date.getTime()
}

/** The name of a local day in an address, as in 2026-11-30. */
export function dayText(time) {
  const date = new Date(time)
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(part => String(part).padStart(2, "0")).join("-")
}

/** The span of time of an address in Unix milliseconds; without a bound it is null, with a wrong one NaN. */
export function spanOf(query) {
  if (query.get("day")) {
    const from = new Date(`${query.get("day")}T00:00`).getTime()
    return { from, to: midnight(from, 1) }
  }
  const at = name => query.get(name) ? Date.parse(query.get(name)) : null
  return { from: at("from"), to: at("to") }
}

/** The filter of an address without its time. The text of the user is first, since an error counts its characters. */
export function conditionsOf(query) {
  const quoted = name => query.get(name) && `${name}:"${query.get(name)}"`
  return joinConditions(query.get("where"), quoted("camera"), quoted("tag"), quoted("pinned"))
}

export function filterOf(query) {
  const span = spanOf(query)
  // The daemon says what is wrong with a time that is none.
  const bound = name => span[name] !== null &&
    `${name}:${Number.isNaN(span[name]) ? query.get("day") || query.get(name) : isoTime(span[name])}`
  return joinConditions(conditionsOf(query), bound("from"), bound("to"))
}

/** A span of time in words, as short as it can be. */
function spanText({ from, to }) {
  if (to === null) return `from ${moment(from)}`
  if (from === null) return `before ${moment(to)}`
  if (from === midnight(from) && to === midnight(from, 1)) return dayName(from)
  if (midnight(from) !== midnight(to - 1)) return `${moment(from)} – ${moment(to)}`
  const time = ms => clockTime(ms).replace(/:00$/, "")
  return `${dayName(from)}, ${time(from)} – ${to === midnight(to) ? "24:00" : time(to)}`
}

/** One line with what is filtered by, and a form for all of it. `choose` gets the changed parts of the address. */
export class Filter {
  constructor(choose) {
    this.choose = choose
    this.cameras = []
    this.chips = make("ul", { class: "chips", "aria-label": "Filter" })
    this.unfold = make("button", {
      type: "button", "aria-expanded": "false", "aria-controls": "filter", click: () => this.open(this.form.hidden),
    }, icon("filter"), "Filter")
    this.failure = make("div", { role: "alert" })
    const text = (name, more) => make("input", { name, autocomplete: "off", spellcheck: "false", ...more })
    const menu = (name, ...options) => make("select", { name }, ...options.map(([value, word]) => make("option", { value }, word)))
    const time = name => make("input", { name, type: "datetime-local", step: "1" })
    const field = (label, input, kind) => make("label", { class: kind }, label, input)
    this.camera = menu("camera", ["", "All"])
    this.form = make("form", { id: "filter", hidden: true, "aria-label": "Filter of frames", submit: event => this.apply(event) },
      field("Camera", this.camera), field("Tag", text("tag")),
      field("Pinned", menu("pinned", ["", "Any"], ["yes", "Pinned"], ["no", "Not pinned"])),
      field("From", time("from")), field("To", time("to")),
      field("Where", text("where", { maxlength: 65536, placeholder: "any(tag:alarm, bytes>2M), not pinned" }), "wide"),
      make("p", { class: "buttons" }, make("button", { class: "primary" }, "Apply"), button("Clear", () => this.clear(PARTS))))
    this.element = make("div", { class: "filter" }, make("div", { class: "line" }, this.unfold, this.chips), this.form, this.failure)
  }

  open(isOpen) {
    this.form.hidden = !isOpen
    this.unfold.ariaExpanded = String(isOpen)
    if (isOpen) this.camera.focus()
  }

  clear(parts) {
    this.choose(Object.fromEntries(parts.map(part => [part, ""])))
    this.unfold.focus()
  }

  apply(event) {
    event.preventDefault()
    const values = Object.fromEntries([...new FormData(this.form)].map(([name, value]) => [name, value.trim()]))
    for (const name of ["from", "to"]) values[name] &&= isoTime(new Date(values[name]))
    this.choose({ ...values, day: "" })
    this.open(false)
    this.unfold.focus()
  }

  /** Shows the filter of an address. */
  show(query) {
    const span = spanOf(query)
    const isWrong = Number.isNaN(span.from) || Number.isNaN(span.to)
    const chip = (parts, text) => make("li", {}, button(text, () => this.clear(parts), { "aria-label": `Do not filter by ${text}` }))
    const given = parts => parts.some(part => query.get(part))
    this.chips.replaceChildren(...[
      given(TIMES) && chip(TIMES, isWrong ? TIMES.map(part => query.get(part)).filter(Boolean).join(" – ") : spanText(span)),
      ...["camera", "tag", "where"].map(part => given([part]) && chip([part], `${part} ${query.get(part)}`)),
      given(["pinned"]) && chip(["pinned"], query.get("pinned") === "yes" ? "pinned" : "not pinned"),
    ].filter(Boolean))
    const local = ms => ms && !isWrong ? new Date(ms - new Date(ms).getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 19) : ""
    this.setCameras(this.cameras, query.get("camera"))
    const values = { ...Object.fromEntries(query), from: local(span.from), to: local(span.to) }
    for (const { name, value } of PARTS.map(part => this.form.elements[part]).filter(Boolean)) {
      if (value !== (values[name] ?? "")) this.form.elements[name].value = values[name] ?? ""
    }
  }

  /** The cameras to choose from, also one that is chosen and not there. */
  setCameras(names, chosen) {
    this.cameras = names
    setOptions(this.camera, chosen && !names.includes(chosen) ? [...names, chosen] : names)
  }

  /** Shows why the filter is refused, or by null that it is not. */
  fail(problem) {
    fill(this.failure, problem && notice(problem))
    if (problem && this.form.hidden) this.open(true)
  }
}
