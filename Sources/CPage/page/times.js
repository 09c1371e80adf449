// SPDX-License-Identifier: Apache-2.0
// A month with the number of frames of each day, and a day with its frames and events, to choose a time from.
import { button, count, dayName, iconButton, make, moment, say, svg } from "./dom.js"
import { dayText, midnight } from "./filter.js"

const DAYS = 7
const monthName = new Intl.DateTimeFormat(undefined, { month: "short", year: "numeric" })
const fullDay = new Intl.DateTimeFormat(undefined, { weekday: "long", day: "numeric", month: "long", year: "numeric" })
const weekday = new Intl.DateTimeFormat(undefined, { weekday: "short" })
const compact = new Intl.NumberFormat(undefined, { notation: "compact" })
// 7 is Sunday. A browser that does not know what is usual has Monday (ISO 8601).
const firstDay = new Intl.Locale(navigator.language).getWeekInfo?.().firstDay ?? 1
const inWeek = time => (new Date(time).getDay() - firstDay + DAYS) % DAYS

/** The same day of another month, or its last one. */
function inMonth(time, step) {
  const date = new Date(time)
  const last = new Date(date.getFullYear(), date.getMonth() + step + 1, 0)
  return last.setDate(Math.min(date.getDate(), last.getDate()))
}

export class Calendar {
  /** `choose` gets a day as a text, `count` a list of times and gives the numbers of frames between them. */
  constructor(choose, count) {
    Object.assign(this, { choose, count, numbers: new Map(), load: 0 })
    this.title = make("h2", { id: "month", "aria-live": "polite" })
    this.body = make("tbody")
    this.note = make("p", { class: "note", role: "status" })
    const turn = step => this.turn(step ? inMonth(this.day, step) : midnight(Date.now()))
    const names = Array.from({ length: DAYS }, (_, at) => make("th", { scope: "col" }, weekday.format(new Date(2024, 0, firstDay + at))))
    this.element = make("section", { class: "calendar", "aria-label": "Calendar" },
      make("div", { class: "head" }, this.title, button("Today", () => turn(0)),
        iconButton("previous", "Month before", () => turn(-1)), iconButton("next", "Month after", () => turn(1))),
      make("table", { role: "grid", "aria-labelledby": "month", keydown: event => this.press(event) },
        make("thead", {}, make("tr", {}, ...names)), this.body), this.note)
  }

  /** Shows the month of a day, and that the grid has the frames of a span; refresh() asks for the numbers. */
  show(day, span = this.span) {
    Object.assign(this, { span, day: midnight(day) })
    const first = new Date(day).setDate(1)
    const length = new Date(inMonth(first, 1) - 1).getDate()
    this.times = Array.from({ length: length + 1 }, (_, at) => midnight(first, at))
    const cells = [...Array.from({ length: inWeek(first) }, () => make("td")), ...this.times.slice(0, -1).map(time => this.cell(time))]
    const hadFocus = this.body.contains(document.activeElement)
    this.body.replaceChildren(...Array.from({ length: Math.ceil(cells.length / DAYS) }, (_, row) =>
      make("tr", {}, ...cells.slice(row * DAYS, (row + 1) * DAYS))))
    say(this.title, monthName.format(day))
    if (hadFocus) this.body.querySelector("[tabindex='0']").focus()
  }

  turn(day) {
    const isSame = monthName.format(day) === this.title.textContent
    this.show(day)
    if (!isSame) this.refresh()
  }

  cell(time) {
    const { from, to } = this.span
    const isIn = (from !== null || to !== null) && time < (to ?? Infinity) && midnight(time, 1) > (from ?? 0)
    const number = this.numbers.get(time)
    const name = number === undefined ? fullDay.format(time) : `${fullDay.format(time)}, ${count(number, "frame")}`
    return make("td", { "aria-selected": String(isIn) }, make("button", {
      type: "button", title: name, "aria-label": name, tabindex: time === this.day ? 0 : -1, click: () => this.choose(dayText(time)),
      "aria-current": time === midnight(Date.now()) && "date",
    }, String(new Date(time).getDate()), number > 0 && make("span", {}, compact.format(number))))
  }

  async refresh() {
    const load = this.load += 1
    const { times } = this
    const [counts, failure] = await this.count(times).then(counts => [counts], problem => [[], problem])
    if (load !== this.load || failure?.code === "daemon-lost") return
    say(this.note, failure ? `The numbers of the days are not known. ${failure.detail}` : "")
    this.numbers = new Map(counts.map((number, at) => [times[at], number]))
    this.show(this.day)
  }

  press(event) {
    const moves = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -DAYS, ArrowDown: DAYS, Home: -inWeek(this.day), End: DAYS - 1 - inWeek(this.day) }
    const months = { PageUp: -1, PageDown: 1 }[event.key]
    if (!months && !(event.key in moves)) return
    event.preventDefault()
    this.turn(months ? inMonth(this.day, months) : midnight(this.day, moves[event.key]))
  }
}

const [STEP_MS, HOUR_MS, REST_MS] = [600000, 3600000, 600]
const DRAG_PIXELS = 4
const MOST_MARKS = 4000
// Heights of the parts, from the top.
const [TOP, LANE, TICK, BOTTOM, TEXT] = [16, 20, 38, 42, 52]
// A shape for each kind of event, so that colours are not all that differs.
const LANES = {
  motion: { name: "motion", begin: "motion-began", end: "motion-ended", shape: "M-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0z" },
  alarm: { name: "alarm", begin: "alarm-began", end: "alarm-ended", shape: "M0-4L4 3H-4z" },
  loss: { name: "lost camera", begin: "camera-lost", end: "camera-back", shape: "M-3-3L3 3M3-3L-3 3" },
  missed: { name: "missed slot", begin: "slots-missed", shape: "M0-4L4 0L0 4L-4 0z" },
}
const KEYS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -6, PageUp: 6, Home: -Infinity, End: Infinity }
const clock = ms => new Date(ms).toTimeString().slice(0, 5)

export class Timeline {
  /** `choose` gets a span of time, and whether it is a whole day. */
  constructor(choose) {
    Object.assign(this, { choose, marks: [], open: new Map(), counts: [] })
    this.title = make("p", { class: "title" })
    this.legend = make("p", { class: "legend" })
    this.plot = svg("svg", { "aria-hidden": "true" })
    this.range = make("div", { class: "range", hidden: true })
    this.handles = ["From", "To"].map((label, index) => make("div", {
      class: "handle", role: "slider", tabindex: "0", "aria-label": label, keydown: event => this.press(event, index),
    }))
    this.track = make("div", {
      class: "track", pointerdown: event => this.down(event), pointermove: event => this.move(event),
      pointerup: () => this.end(true), pointercancel: () => this.end(false), pointerleave: () => this.showTitle(),
    }, this.plot, this.range, ...this.handles)
    const turn = days => this.choose({ from: midnight(this.from, days), to: midnight(this.from, days + 1) }, true)
    this.element = make("section", { class: "timeline", "aria-label": "Times of the day" },
      iconButton("previous", "Day before", () => turn(-1)), this.track, iconButton("next", "Day after", () => turn(1)),
      this.title, this.legend)
  }

  /** Shows a day, and a span of it that the grid shows; setCounts() gives the numbers between its times. */
  show(day, { from, to }) {
    if (this.from !== midnight(day)) this.counts = []
    Object.assign(this, { from: midnight(day), to: midnight(day, 1) })
    const length = Math.ceil((this.to - this.from) / STEP_MS)
    this.times = Array.from({ length: length + 1 }, (_, at) => Math.min(this.from + at * STEP_MS, this.to))
    // A span that is being chosen stays.
    const shown = [this.from, from, to].join()
    if (shown !== this.shown) this.setSpan(from || this.from, to || this.to)
    this.shown = shown
    this.draw()
  }

  setCounts(counts) {
    this.counts = counts
    this.draw()
  }

  /** Keeps an event if it has a mark; draw() shows it. */
  add({ kind, camera, alarm, at, detail }) {
    const lane = Object.keys(LANES).find(name => [LANES[name].begin, LANES[name].end].includes(kind))
    const time = Date.parse(at)
    const key = [lane, camera, alarm].join()
    if (lane && kind === LANES[lane].end) {
      if (this.open.has(key)) this.open.get(key).to = time
      this.open.delete(key)
    } else if (lane) {
      const mark = { lane, camera, detail, from: time, to: LANES[lane].end ? Infinity : time }
      this.open.set(key, mark)
      this.marks = [...this.marks.slice(1 - MOST_MARKS), mark]
    }
    return Boolean(lane)
  }

  percent(time) { return Math.min(Math.max((time - this.from) / (this.to - this.from), 0), 1) * 100 }

  draw() {
    const x = time => `${this.percent(time)}%`
    const line = (time, y1, kind) => svg("line", { x1: x(time), x2: x(time), y1, y2: BOTTOM, class: kind })
    const box = (from, to, y, height, kind) =>
      svg("rect", { x: x(from), width: `${this.percent(to) - this.percent(from)}%`, y, height, class: kind })
    const now = Date.now()
    const parts = now > this.from && now < this.to ? [line(now, TOP, "now")] : []
    for (let time = this.from; time < this.to; time += HOUR_MS) {
      const hour = new Date(time).getHours()
      parts.push(line(time, hour % 6 ? TICK : TOP, "hour"))
      if (hour % 3 === 0) parts.push(svg("text", { x: x(time), y: TEXT, dx: 2, class: hour % 6 ? "often" : "" }, clock(time)))
    }
    // The square root keeps few frames visible beside many.
    const most = Math.sqrt(Math.max(...this.counts))
    this.counts.forEach((number, at) => {
      const height = 3 + (BOTTOM - TOP - 5) * Math.sqrt(number) / most
      if (number) parts.push(box(this.times[at], this.times[at + 1], BOTTOM - height, height, "column"))
    })
    const numbers = {}
    const drawn = new Set()
    for (const { lane, camera, from, to, detail } of this.marks) {
      const end = Math.min(to, now)
      if (from >= this.to || end < this.from || this.camera && camera !== this.camera) continue
      numbers[lane] = (numbers[lane] ?? 0) + 1
      if (end > from) parts.push(box(from, end, LANE - 1, 2, lane))
      // Marks at the same place are drawn once.
      const place = `${lane} ${this.percent(from).toFixed(1)}`
      if (from >= this.from && !drawn.has(place)) parts.push(svg("svg", { x: x(from), y: LANE, class: lane, overflow: "visible" },
        svg("path", { d: LANES[lane].shape }, svg("title", {}, `${moment(from)}: ${detail}`))))
      drawn.add(place)
    }
    this.plot.replaceChildren(...parts)
    this.legend.replaceChildren(...Object.entries(numbers).map(([lane, number]) => make("span", {},
      svg("svg", { viewBox: "-5 -5 10 10", class: lane, "aria-hidden": "true" }, svg("path", { d: LANES[lane].shape })),
      count(number, LANES[lane].name))))
    this.showTitle()
  }

  /** Says which day is shown and how many frames it has, or this for the column under the pointer. */
  showTitle(at) {
    const number = at === undefined ? this.counts.reduce((sum, one) => sum + one, 0) : this.counts[at]
    const when = at === undefined ? dayName(this.from) : `${clock(this.times[at])} – ${clock(this.times[at + 1])}`
    say(this.title, this.counts.length ? `${when} · ${count(number, "frame")}` : when)
  }

  setSpan(from, to) {
    this.span = [Math.max(from, this.from), Math.min(to, this.to)]
    const [left, right] = this.span.map(time => this.percent(time))
    this.range.hidden = right - left === 100
    Object.assign(this.range.style, { left: `${left}%`, width: `${right - left}%` })
    this.handles.forEach((handle, index) => {
      const time = this.span[index]
      handle.style.left = `${this.percent(time)}%`
      Object.assign(handle, { ariaValueMin: 0, ariaValueMax: this.times.length - 1, ariaValueNow: Math.round((time - this.from) / STEP_MS) })
      handle.ariaValueText = time === this.to ? "24:00" : clock(time)
    })
  }

  apply() {
    const [from, to] = this.span
    this.choose({ from, to }, from === this.from && to === this.to)
  }

  column({ clientX }) {
    const { left, width } = this.track.getBoundingClientRect()
    const length = this.times.length - 1
    return Math.min(Math.max(Math.floor((clientX - left) / width * length), 0), length - 1)
  }

  down(event) {
    if (event.button) return
    this.track.setPointerCapture(event.pointerId)
    this.drag = { x: event.clientX, column: this.column(event), before: this.span }
  }

  move(event) {
    const column = this.column(event)
    this.showTitle(column)
    if (!this.drag) return
    this.drag.isLong ||= Math.abs(event.clientX - this.drag.x) >= DRAG_PIXELS
    const [first, last] = [column, this.drag.column].sort((a, b) => a - b)
    if (this.drag.isLong) this.setSpan(this.times[first], this.times[last + 1])
  }

  /** A drag selects what it has passed, a click the hour around it. */
  end(isDone) {
    const { drag } = this
    if (!drag) return
    this.drag = null
    const hour = new Date(this.times[drag.column]).setMinutes(0)
    if (!isDone) return this.setSpan(...drag.before)
    if (!drag.isLong) this.setSpan(hour, hour + HOUR_MS)
    this.apply()
  }

  press(event, index) {
    if (event.key === "Escape") this.setSpan(this.from, this.to)
    else if (!(event.key in KEYS)) return
    else {
      const [least, most] = index ? [this.span[0] + STEP_MS, this.to] : [this.from, this.span[1] - STEP_MS]
      this.setSpan(...this.span.with(index, Math.min(Math.max(this.span[index] + KEYS[event.key] * STEP_MS, least), most)))
    }
    event.preventDefault()
    // The frames are asked for once the keys rest.
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.apply(), REST_MS)
  }
}
