// SPDX-License-Identifier: Apache-2.0
// A month with the number of frames of each day.
import { button, iconButton, make, say } from "./dom.js"
import { dayText, midnight } from "./filter.js"
import { count } from "./format.js"

const DAYS = 7
const monthName = new Intl.DateTimeFormat(undefined, { month: "short", year: "numeric" })
const fullDay = new Intl.DateTimeFormat(undefined, { weekday: "long", day: "numeric", month: "long", year: "numeric" })
const weekday = new Intl.DateTimeFormat(undefined, { weekday: "short" })
const compact = new Intl.NumberFormat(undefined, { notation: "compact" })
// 1 is Monday; where the browser does not know the first day of the week it is Monday (ISO 8601).
const firstDay = new Intl.Locale(navigator.language).getWeekInfo?.().firstDay ?? 1
const MOVES = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -DAYS, ArrowDown: DAYS }

export class Calendar {
  /** `choose` gets a day, `count` a list of times and gives the numbers between them. */
  constructor(choose, count) {
    Object.assign(this, { choose, count, load: 0 })
    this.title = make("h2", { id: "month", "aria-live": "polite" })
    this.body = make("tbody")
    this.note = make("p", { class: "note", role: "status" })
    const table = make("table", { role: "grid", "aria-labelledby": "month", keydown: event => this.press(event) },
      make("thead"), this.body)
    this.element = make("section", { class: "calendar", "aria-label": "Calendar" },
      make("div", { class: "head" }, this.title, button("Today", () => this.turn(midnight(Date.now()))),
        iconButton("previous", "Month before", () => this.turnMonth(-1)), iconButton("next", "Month after", () => this.turnMonth(1))),
      table, this.note)
    const monday = new Date(2024, 0, firstDay)
    table.tHead.append(make("tr", {}, ...Array.from({ length: DAYS }, (_, at) =>
      make("th", { scope: "col" }, weekday.format(midnight(monday, at))))))
  }

  /** Shows the month of a day, and that the grid has the frames of a span. */
  show(day, span) {
    this.span = span
    this.turn(day, false)
  }

  turnMonth(direction) {
    const date = new Date(this.day)
    this.turn(new Date(date.getFullYear(), date.getMonth() + direction, 1).getTime(), false)
  }

  turn(day, focuses = true) {
    this.day = midnight(day)
    const date = new Date(this.day)
    const first = new Date(date.getFullYear(), date.getMonth(), 1)
    const next = new Date(date.getFullYear(), date.getMonth() + 1, 1).getTime()
    const hadFocus = this.body.contains(document.activeElement)
    this.times = []
    for (let time = first.getTime(); time <= next; time = midnight(time, 1)) this.times.push(time)
    this.cells = this.times.slice(0, -1).map(time => this.cell(time))
    const empty = (first.getDay() - firstDay + DAYS) % DAYS
    const all = [...Array.from({ length: empty }, () => make("td")), ...this.cells]
    const rows = []
    while (all.length) rows.push(make("tr", {}, ...all.splice(0, DAYS)))
    this.body.replaceChildren(...rows)
    say(this.title, monthName.format(date))
    if (focuses && hadFocus) this.cells[date.getDate() - 1].firstChild.focus()
    this.refresh()
  }

  cell(time) {
    const { from, to } = this.span
    const isIn = (from !== null || to !== null) && time < (to ?? Infinity) && midnight(time, 1) > (from ?? 0)
    const day = button(String(new Date(time).getDate()), () => this.choose(dayText(time)), {
      tabindex: time === this.day ? 0 : -1, "aria-label": fullDay.format(time),
      "aria-current": time === midnight(Date.now()) ? "date" : null,
    })
    return make("td", { "aria-selected": String(isIn) }, day)
  }

  /** Asks for the numbers again. */
  async refresh() {
    const load = this.load += 1
    try {
      const counts = await this.count(this.times)
      if (load !== this.load) return
      say(this.note, "")
      this.cells.forEach(({ firstChild: day }, at) => {
        const name = `${fullDay.format(this.times[at])}, ${count(counts[at], "frame")}`
        day.setAttribute("aria-label", name)
        day.title = name
        day.replaceChildren(String(at + 1), counts[at] ? make("span", {}, compact.format(counts[at])) : "")
      })
    } catch (problem) {
      if (load === this.load && problem.code !== "daemon-lost") say(this.note, `The days have no numbers. ${problem.detail}`)
    }
  }

  press(event) {
    const focused = this.cells.findIndex(cell => cell.contains(event.target))
    if (focused < 0) return
    const date = new Date(this.times[focused])
    const month = step => new Date(date.getFullYear(), date.getMonth() + step,
      Math.min(date.getDate(), new Date(date.getFullYear(), date.getMonth() + step + 1, 0).getDate()))
    const week = (date.getDay() - firstDay + DAYS) % DAYS
    const to = { Home: () => midnight(date, -week), End: () => midnight(date, DAYS - 1 - week),
      PageUp: () => month(-1).getTime(), PageDown: () => month(1).getTime() }[event.key]?.() ??
      (event.key in MOVES ? midnight(date, MOVES[event.key]) : null)
    if (to === null) return
    event.preventDefault()
    const at = this.times.slice(0, -1).indexOf(to)
    if (at < 0) return this.turn(to)
    this.day = to
    this.cells.forEach((cell, index) => { cell.firstChild.tabIndex = index === at ? 0 : -1 })
    this.cells[at].firstChild.focus()
  }
}
