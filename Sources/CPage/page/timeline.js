// SPDX-License-Identifier: Apache-2.0
// The frames and events of a day; a click or a drag selects a span of it.
import { iconButton, make, say } from "./dom.js"
import { midnight } from "./filter.js"
import { count, dayName, moment } from "./format.js"

const BIN_MS = 600000
const HOUR_MS = 3600000
const DRAG_PIXELS = 4
const CHOOSE_MS = 600
const MOST_MARKS = 4000
// Lanes for what begins and ends, with a shape for each, so that it is not the colour alone that tells.
const LANES = {
  motion: { name: "motion", begin: "motion-began", end: "motion-ended", y: 20, shape: "M-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0z" },
  alarm: { name: "alarm", begin: "alarm-began", end: "alarm-ended", y: 20, shape: "M0-4L4 3H-4z" },
  loss: { name: "camera lost", begin: "camera-lost", end: "camera-back", y: 20, shape: "M-3-3L3 3M3-3L-3 3" },
  missed: { name: "missed slot", begin: "slots-missed", y: 20, shape: "M0-4L4 0L0 4L-4 0z" },
}
const ENDS = Object.fromEntries(Object.entries(LANES).map(([kind, { end }]) => [end, kind]))
const BEGINS = Object.fromEntries(Object.entries(LANES).map(([kind, { begin }]) => [begin, kind]))
const clock = ms => new Date(ms).toTimeString().slice(0, 5)

function svg(tag, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.append(...children)
  return element
}

export class Timeline {
  /** `choose` gets the bounds of a span, or null for the whole day; `turn` gets 1 or -1 for another day. */
  constructor(choose, turn) {
    Object.assign(this, { choose, marks: [], open: new Map(), counts: [] })
    this.title = make("p", { class: "title" })
    this.legend = make("p", { class: "legend" })
    this.plot = svg("svg", { "aria-hidden": "true" })
    this.range = make("div", { class: "range", hidden: true })
    this.handles = ["From", "To"].map((label, index) => make("div", {
      class: "handle", role: "slider", tabindex: "0", "aria-label": label, "aria-valuemin": 0, keydown: event => this.press(event, index),
    }))
    this.track = make("div", {
      class: "track", pointerdown: event => this.down(event), pointermove: event => this.move(event),
      pointerup: event => this.up(event), pointercancel: () => this.cancel(), pointerleave: () => this.showTitle(),
    }, this.plot, this.range, ...this.handles)
    this.element = make("section", { class: "timeline", "aria-label": "Times of the day" },
      iconButton("previous", "Day before", () => turn(-1)), this.track, iconButton("next", "Day after", () => turn(1)),
      this.title, this.legend)
  }

  /** The bounds of the bars of the shown day. */
  get times() {
    return Array.from({ length: Math.ceil((this.to - this.from) / BIN_MS) + 1 }, (_, at) => Math.min(this.from + at * BIN_MS, this.to))
  }

  show(day, span) {
    if (this.from !== midnight(day)) this.counts = []
    Object.assign(this, { from: midnight(day), to: midnight(day, 1) })
    this.setSpan(span.from ?? this.from, span.to ?? this.to)
    this.draw()
  }

  setCounts(counts) {
    this.counts = counts
    this.draw()
  }

  /** Keeps an event that the timeline shows; `refresh` has to be called after the last one. */
  add(event) {
    const begun = BEGINS[event.kind]
    const lane = begun ?? ENDS[event.kind]
    if (!lane) return false
    const key = `${lane} ${event.camera} ${event.alarm ?? ""}`
    if (begun) {
      const mark = { lane, camera: event.camera, from: Date.parse(event.at), to: LANES[lane].end ? null : Date.parse(event.at), detail: event.detail }
      this.open.set(key, mark)
      this.marks.push(mark)
      if (this.marks.length > MOST_MARKS) this.marks.shift()
    } else if (this.open.has(key)) {
      this.open.get(key).to = Date.parse(event.at)
      this.open.delete(key)
    }
    return true
  }

  percent(time) {
    return Math.min(Math.max((time - this.from) / (this.to - this.from), 0), 1) * 100
  }

  draw() {
    const x = time => `${this.percent(time)}%`
    const wide = (from, to) => `${Math.max(this.percent(to) - this.percent(from), 0)}%`
    const most = Math.max(...this.counts, 1)
    const times = this.times
    const parts = []
    for (let time = this.from; time < this.to; time += HOUR_MS) {
      const hour = new Date(time).getHours()
      parts.push(svg("line", { x1: x(time), x2: x(time), y1: hour % 6 ? 38 : 16, y2: 42, class: "grid" }))
      if (hour % 3 === 0) parts.push(svg("text", { x: x(time), y: 52, dx: 2, class: hour % 6 ? "often" : "" }, clock(time)))
    }
    this.counts.forEach((number, at) => {
      // The root keeps few frames visible beside many.
      const height = number && 3 + 21 * Math.sqrt(number / most)
      if (number) parts.push(svg("rect", { x: x(times[at]), width: wide(times[at], times[at + 1]), y: 42 - height, height, class: "column" }))
    })
    const now = Date.now()
    const numbers = {}
    const drawn = new Set()
    for (const { lane, camera, from, to, detail } of this.marks) {
      const end = to ?? now
      if (from >= this.to || end < this.from || this.camera && camera && camera !== this.camera) continue
      numbers[lane] = (numbers[lane] ?? 0) + 1
      const { y, shape } = LANES[lane]
      if (end > from) parts.push(svg("rect", { x: x(from), width: wide(from, end), y: y - 1, height: 2, class: lane }))
      const place = `${lane} ${this.percent(from).toFixed(1)}`
      if (drawn.has(place) || from < this.from) continue
      drawn.add(place)
      parts.push(svg("svg", { x: x(from), y, class: lane, overflow: "visible" },
        svg("path", { d: shape }, svg("title", {}, `${moment(from)}: ${detail}`))))
    }
    if (now > this.from && now < this.to) parts.push(svg("line", { x1: x(now), x2: x(now), y1: 16, y2: 42, class: "now" }))
    this.plot.replaceChildren(...parts)
    this.legend.replaceChildren(...Object.keys(LANES).filter(lane => numbers[lane]).map(lane => make("span", {},
      svg("svg", { viewBox: "-5 -5 10 10", class: lane, "aria-hidden": "true" }, svg("path", { d: LANES[lane].shape })),
      `${numbers[lane]} ${LANES[lane].name}${numbers[lane] === 1 ? "" : "s"}`)))
    this.showTitle()
  }

  /** Says which day is shown and how many frames it has, or of the bar under the pointer. */
  showTitle(at) {
    const [from, to] = at === undefined ? [] : [this.times[at], this.times[at + 1]]
    const number = at === undefined ? this.counts.reduce((sum, one) => sum + one, 0) : this.counts[at] ?? 0
    say(this.title, `${at === undefined ? dayName(this.from) : `${clock(from)} – ${clock(to)}`} · ${count(number, "frame")}`)
  }

  setSpan(from, to) {
    this.span = [Math.max(from, this.from), Math.min(to, this.to)].map(time => Number.isNaN(time) ? this.from : time)
    const isAll = this.span[0] <= this.from && this.span[1] >= this.to
    this.range.hidden = isAll
    this.range.style.left = `${this.percent(this.span[0])}%`
    this.range.style.width = `${this.percent(this.span[1]) - this.percent(this.span[0])}%`
    this.handles.forEach((handle, index) => {
      handle.style.left = `${this.percent(this.span[index])}%`
      handle.ariaValueMax = this.times.length - 1
      handle.ariaValueNow = Math.round((this.span[index] - this.from) / BIN_MS)
      handle.ariaValueText = this.span[index] === this.to ? "24:00" : clock(this.span[index])
    })
  }

  /** The bar at a place of the pointer. */
  bar({ clientX }) {
    const { left, width } = this.track.getBoundingClientRect()
    const last = this.times.length - 2
    return Math.min(Math.max(Math.floor((clientX - left) / width * (last + 1)), 0), last)
  }

  down(event) {
    if (event.button) return
    this.track.setPointerCapture(event.pointerId)
    this.drag = { x: event.clientX, bar: this.bar(event), isDragged: false, before: this.span }
  }

  move(event) {
    const bar = this.bar(event)
    this.showTitle(bar)
    if (!this.drag) return
    this.drag.isDragged ||= Math.abs(event.clientX - this.drag.x) >= DRAG_PIXELS
    if (this.drag.isDragged) this.setSpan(this.times[Math.min(bar, this.drag.bar)], this.times[Math.max(bar, this.drag.bar) + 1])
  }

  /** A drag selects what it passed, a click the hour around it. */
  up(event) {
    if (!this.drag) return
    const { isDragged, bar } = this.drag
    this.drag = null
    if (!isDragged) {
      const start = new Date(this.times[bar]).setMinutes(0)
      this.setSpan(start, start + HOUR_MS)
    }
    this.apply()
  }

  cancel() {
    if (this.drag) this.setSpan(...this.drag.before)
    this.drag = null
  }

  apply() {
    const [from, to] = this.span
    this.choose(from <= this.from && to >= this.to ? null : { from, to })
  }

  press(event, index) {
    const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -6, PageUp: 6, Home: -Infinity, End: Infinity }[event.key]
    if (event.key === "Escape") this.setSpan(this.from, this.to)
    else if (step === undefined) return
    else {
      const [least, most] = index ? [this.span[0] + BIN_MS, this.to] : [this.from, this.span[1] - BIN_MS]
      const time = Math.min(Math.max(this.span[index] + step * BIN_MS, least), most)
      this.setSpan(...this.span.with(index, time))
    }
    event.preventDefault()
    // The frames are asked for once the key rests.
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.apply(), CHOOSE_MS)
  }
}
