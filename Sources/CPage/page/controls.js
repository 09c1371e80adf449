// SPDX-License-Identifier: Apache-2.0
// The controls of a camera.
import { allows, refusal } from "./access.js"
import { ask, cameraPath, notice } from "./api.js"
import { Control, outcomeText } from "./control.js"
import { announce, button, make } from "./dom.js"
import { sentence } from "./format.js"

const LIMIT_MS = 30000
const LASTS = "A change takes effect at once. It lasts until a reset, or until the daemon ends."

export class Controls {
  constructor(name, element) {
    Object.assign(this, { name, element, rows: new Map(), wanted: {}, isSending: false })
    this.path = `${cameraPath(name)}/controls`
    this.failure = make("div", { role: "alert" })
    this.list = make("div", { class: "controls" }, make("p", {}, "Reading the controls…"))
    this.reset = button("Reset all controls", () => this.change("POST", `${this.path}/reset`), { hidden: true })
    element.replaceChildren(
      make("div", { class: "head" }, make("h2", {}, `Controls of ${name}`), this.reset),
      make("p", { class: "note" }, refusal("control", name) ?? LASTS),
      this.failure, this.list)
  }

  async read() {
    try {
      const { controls } = await ask("GET", this.path, undefined, LIMIT_MS)
      this.failure.replaceChildren()
      this.show(controls)
    } catch (problem) {
      this.fail(problem)
    }
  }

  show(controls) {
    const isFirst = !this.rows.size
    if (isFirst) this.list.replaceChildren()
    let group
    for (const description of controls) {
      const row = this.rows.get(description.name)
      if (row) {
        row.describe(description)
        continue
      }
      if (group?.dataset.class !== description.class) {
        const title = sentence(description.class.replaceAll("_", " "))
        group = make("fieldset", { "data-class": description.class }, make("legend", {}, title))
        this.list.append(group)
      }
      const set = value => this.set(description.name, value)
      const control = new Control(this.name, description, allows("control", this.name), set)
      this.rows.set(description.name, control)
      group.append(control.element)
    }
    this.reset.hidden = !allows("control", this.name) || !controls.length
    if (isFirst && !controls.length) this.list.append(make("p", {}, "This camera has no controls."))
    if (isFirst) announce(`The controls of ${this.name} are shown.`)
  }

  /** Sets a control. While a request runs, the newest value of each control waits for the next one. */
  async set(name, value) {
    this.wanted[name] = value
    if (this.isSending) return
    this.isSending = true
    while (Object.keys(this.wanted).length) {
      const values = this.wanted
      this.wanted = {}
      await this.change("PATCH", this.path, values)
    }
    this.isSending = false
  }

  async change(method, path, body) {
    try {
      const { outcomes } = await ask(method, path, body, LIMIT_MS)
      this.failure.replaceChildren()
      for (const outcome of outcomes) this.rows.get(outcome.name)?.showOutcome(outcome)
      const texts = outcomes.map(one => `${this.rows.get(one.name)?.title ?? one.name}: ${outcomeText(one)}`)
      announce(texts.length ? texts.join(" ") : `Every control of ${this.name} had its default already.`)
      // The new value may have changed other controls: whether they are active, and their limits.
      const changesOthers = !body || outcomes.some(({ name }) => this.rows.get(name)?.changesOthers)
      if (changesOthers && !Object.keys(this.wanted).length) await this.read()
    } catch (problem) {
      const row = body && this.rows.get(problem.field)
      if (!row) return this.fail(problem)
      row.showOutcome({ result: "refused", detail: `${problem.detail} ${problem.remedy}` })
      announce(`${row.title}: Refused. ${problem.detail}`)
      // The whole request was refused: another one sets the other controls.
      const { [problem.field]: _, ...others } = body
      this.wanted = { ...others, ...this.wanted }
      if (!Object.keys(this.wanted).length) await this.read()
    }
  }

  /** Shows values that another client, another program or the camera has changed. */
  changed(values) {
    for (const [name, value] of Object.entries(values ?? {})) {
      if (!(name in this.wanted)) this.rows.get(name)?.showValue(value)
    }
  }

  fail(problem) {
    this.failure.replaceChildren(notice(problem))
    if (!this.rows.size) this.list.replaceChildren(button("Try again", () => this.read()))
  }
}
