// SPDX-License-Identifier: Apache-2.0
// The filter of frames: in the address, as a text of the API, and as one line that unfolds to a form.
import { notice } from "./api.js"
import { button, clockTime, dayName, fill, icon, make, moment, setOptions } from "./dom.js"

const MINUTE_MS = 60000
const LAST = Date.UTC(2199, 0)
const TIMES = ["day", "from", "to"]
const KINDS = { Stills: "", Films: "film", Clips: "clip" }

/** Parts of an address that do not filter by time, and that do not filter at all. */
export const NO_TIME = Object.fromEntries(TIMES.map(part => [part, ""]))
export const NO_FILTER = { ...NO_TIME, kind: "", camera: "", tag: "", pinned: "", where: "" }

export const isoTime = ms => new Date(ms).toISOString().replace(/(:00)?\.000Z$/, "Z")
export const joinConditions = (...conditions) => conditions.filter(Boolean).join(", ")

/** The local midnight that begins a day, some days later. */
export function midnight(time, days = 0) {
  const date = new Date(time)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days).getTime()
}

/** A moment in local time as a text of forms and addresses, as in 2026-11-30T14:20:00. */
const localText = ms => new Date(ms - new Date(ms).getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 19)

/** A local day as in 2026-11-30. */
export const dayText = ms => localText(ms).slice(0, 10)

/** A time for which the daemon may have frames, and a Date has its month. */
const within = ms => Math.min(Math.max(ms, 0), LAST)

/** The span of time of an address in Unix milliseconds; without a bound it is null, with a wrong one NaN. */
export function spanOf(query) {
  const at = name => query.get(name) ? within(Date.parse(query.get(name))) : null
  if (!query.get("day")) return { from: at("from"), to: at("to") }
  const from = within(Date.parse(`${query.get("day")}T00:00`))
  return { from, to: midnight(from, 1) }
}

/** The filter of an address without its time. The text of the user is first, since an error counts its characters. */
export const conditionsOf = query => joinConditions(query.get("where"),
  ...["kind", "camera", "tag", "pinned"].map(name => query.get(name) && `${name}:"${query.get(name)}"`))

/** The filter of an address; the daemon says what is wrong with a time that is none. */
export const filterOf = query => joinConditions(conditionsOf(query), ...Object.entries(spanOf(query)).map(([bound, ms]) =>
  ms !== null && `${bound}:${Number.isNaN(ms) ? query.get("day") || query.get(bound) : isoTime(ms)}`))

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
    Object.assign(this, { choose, cameras: [] })
    this.chips = make("ul", { class: "chips", "aria-label": "Filter" })
    const unfold = { "aria-expanded": "false", "aria-controls": "filter" }
    this.unfold = button("Filter", () => this.open(this.form.hidden), unfold)
    this.unfold.prepend(icon("filter"))
    this.kinds = make("div", { class: "buttons", role: "group", "aria-label": "Kind" },
      ...Object.entries(KINDS).map(([text, value]) => button(text, () => this.choose({ kind: value }), { value })))
    this.failure = make("div", { role: "alert" })
    const text = (name, more) => make("input", { name, autocomplete: "off", spellcheck: "false", ...more })
    const menu = (name, ...options) => make("select", { name }, ...options.map(([value, word]) => make("option", { value }, word)))
    const field = (label, input, kind) => make("label", { class: kind }, label, input)
    const time = name => make("input", { name, type: "datetime-local", step: "1" })
    this.camera = menu("camera", ["", "All"])
    this.form = make("form", { id: "filter", hidden: true, "aria-label": "Filter of frames", submit: event => this.apply(event) },
      field("Camera", this.camera), field("Tag", text("tag")),
      field("Pinned", menu("pinned", ["", "Any"], ["yes", "Pinned"], ["no", "Not pinned"])),
      field("From", time("from")), field("To", time("to")),
      field("Where", text("where", { maxlength: 65536, placeholder: "any(tag:alarm, bytes>2M), not pinned" }), "wide"),
      make("p", { class: "buttons" }, make("button", { class: "primary" }, "Apply"), button("Clear", () => this.change(NO_FILTER))))
    this.element = make("div", { class: "filter" }, make("div", { class: "line" }, this.unfold, this.kinds, this.chips), this.form, this.failure)
  }

  open(isOpen) {
    this.form.hidden = !isOpen
    this.unfold.ariaExpanded = String(isOpen)
    if (isOpen) this.camera.focus()
  }

  change(parts) {
    this.choose(parts)
    this.unfold.focus()
  }

  apply(event) {
    event.preventDefault()
    const values = Object.fromEntries([...new FormData(this.form)].map(([name, value]) => [name, value.trim()]))
    for (const name of ["from", "to"]) values[name] &&= isoTime(new Date(values[name]))
    this.change({ ...values, day: "" })
    this.open(false)
  }

  show(query) {
    fill(this.failure)
    for (const one of this.kinds.children) one.ariaPressed = String(one.value === (query.get("kind") ?? ""))
    const span = spanOf(query)
    const isWrong = Object.values(span).some(Number.isNaN)
    const given = TIMES.map(name => query.get(name)).filter(Boolean)
    const chip = (parts, text) => text && make("li", {},
      button(text, () => this.change(parts), { "aria-label": `Do not filter by ${text}` }))
    this.chips.replaceChildren(...[
      chip(NO_TIME, given.length && (isWrong ? given.join(" – ") : spanText(span))),
      ...["camera", "tag", "where"].map(name => chip({ [name]: "" }, query.get(name) && `${name} ${query.get(name)}`)),
      chip({ pinned: "" }, { yes: "pinned", no: "not pinned" }[query.get("pinned")]),
    ].filter(Boolean))
    this.setCameras(this.cameras, query.get("camera"))
    const times = isWrong ? {} : Object.fromEntries(Object.entries(span).map(([name, ms]) => [name, ms === null ? "" : localText(ms)]))
    for (const one of this.form.elements) if (one.name) one.value = times[one.name] ?? query.get(one.name) ?? ""
  }

  /** The cameras to choose from, and one that is chosen, even if it is not there. */
  setCameras(names, chosen) {
    this.cameras = names
    setOptions(this.camera, names, chosen)
  }

  /** Shows why the filter is refused, or by null that it is not. */
  fail(problem) {
    const isNew = problem && !this.failure.childElementCount
    fill(this.failure, problem && notice(problem))
    if (isNew && this.form.hidden) this.open(true)
  }
}
