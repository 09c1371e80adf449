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
  show(day, span) {
    this.span = span
    this.draw(midnight(day))
  }

  turn(day) {
    const isSame = monthName.format(day) === this.title.textContent
    this.draw(day)
    if (!isSame) this.refresh()
  }

  draw(day) {
    this.day = day
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

  /** Asks for the numbers of the month again. */
  async refresh() {
    const load = this.load += 1
    const { times } = this
    const failure = await this.count(times).then(counts => {
      if (load === this.load) this.numbers = new Map(counts.map((number, at) => [times[at], number]))
    }, problem => problem)
    if (load !== this.load || failure?.code === "daemon-lost") return
    say(this.note, failure ? `The numbers of the days are not known. ${failure.detail}` : "")
    if (failure) this.numbers.clear()
    this.draw(this.day)
  }

  press(event) {
    const moves = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -DAYS, ArrowDown: DAYS, Home: -inWeek(this.day), End: DAYS - 1 - inWeek(this.day) }
    const months = { PageUp: -1, PageDown: 1 }[event.key]
    if (!months && !(event.key in moves)) return
    event.preventDefault()
    this.turn(months ? inMonth(this.day, months) : midnight(this.day, moves[event.key]))
  }
}
