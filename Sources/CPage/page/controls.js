// SPDX-License-Identifier: Apache-2.0
// The controls of a camera: sliders, check boxes, menus, buttons and texts.
import { allows, ask, cameraPath, notice, refusal } from "./api.js"
import { announce, button, make, sentence, valueText } from "./dom.js"

const LIMIT_MS = 30000
const LASTS = "A change takes effect at once. It lasts until a reset, or until the daemon ends."

export class Controls {
  constructor(name, element) {
    Object.assign(this, { name, element, rows: new Map(), wanted: {}, isSending: false })
    this.path = `${cameraPath(name)}/controls`
    this.failure = make("div", { role: "alert" })
    this.list = make("div", { class: "controls" }, make("p", {}, "Reading the controls…"))
    this.reset = button("Reset all controls", () => this.change("POST", `${this.path}/reset`), { hidden: true })
    element.replaceChildren(make("div", { class: "head" }, make("h2", {}, `Controls of ${name}`), this.reset),
      make("p", { class: "note" }, refusal("control", name) ?? LASTS), this.failure, this.list)
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
    const isAllowed = allows("control", this.name)
    const isFirst = !this.rows.size
    if (isFirst) this.list.replaceChildren(controls.length ? "" : make("p", {}, "This camera has no controls."))
    let group
    for (const description of controls) {
      const { name, class: kind } = description
      if (!this.rows.has(name)) {
        if (group?.dataset.class !== kind) {
          group = make("fieldset", { "data-class": kind }, make("legend", {}, sentence(kind.replaceAll("_", " "))))
          this.list.append(group)
        }
        this.rows.set(name, new Control(this.name, description, isAllowed, value => this.set(name, value)))
        group.append(this.rows.get(name).element)
      } else this.rows.get(name).describe(description)
    }
    this.reset.hidden = !isAllowed || !controls.length
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

const WORDS = { applied: "Set", clamped: "Adjusted" }
const REASONS = {
  readOnly: "It can only be read.", disabled: "The camera has disabled it.",
  grabbed: "It cannot be changed now: the driver uses it.",
}

function outcomeText(outcome) {
  const value = outcome.value === undefined ? "" : ` to ${outcome.valueName ?? valueText(outcome.value)}`
  const asked = outcome.asked === undefined ? "" : `: ${valueText(outcome.asked)} was not set`
  const word = WORDS[outcome.result]
  return [word ? `${word}${value}.` : `Refused${asked}.`, outcome.detail].filter(Boolean).join(" ")
}

class Control {
  constructor(camera, description, isAllowed, set) {
    Object.assign(this, { set, isAllowed, title: description.title, type: description.type })
    this.id = `control-${camera}-${description.name}`
    this.changesOthers = description.flags.includes("update")
    this.note = make("p", { class: "note", id: `${this.id}-note` })
    this.outcome = make("p", { class: "outcome" })
    const label = this.type === "button" ? make("span", {}, this.title) : make("label", { for: this.id }, this.title)
    this.inputs = this.makeInputs(description)
    this.inputs[0].id = this.id
    for (const input of this.inputs) input.setAttribute("aria-describedby", this.note.id)
    this.element = make("div", { class: "control", "data-control": description.name },
      label, make("div", { class: "inputs" }, ...this.inputs), this.note, this.outcome)
    this.describe(description)
  }

  makeInputs({ type, minimum, maximum, step, menu, title }) {
    const field = (type, parse, properties) =>
      make("input", { type, change: ({ target }) => target.checkValidity() && this.set(parse(target)), ...properties })
    if (type === "boolean") return [field("checkbox", input => input.checked)]
    if (type === "button") return [button(`Press “${title}”`, () => this.set(true))]
    if (type === "compound") return [make("output", {}, "Its value is neither read nor set here.")]
    if (type === "menu" || type === "integerMenu") {
      return [make("select", { change: event => this.set(Number(event.target.value)) },
        ...(menu ?? []).map(item => make("option", { value: item.index }, item.name)))]
    }
    if (type === "integer" || type === "integer64") {
      const parse = input => Number(input.value)
      const slider = field("range", parse, { min: minimum, max: maximum, step: step || 1 })
      // It takes any number: the daemon adjusts one that is out of range, and says so.
      const number = field("number", parse, { step: "any", required: true, "aria-label": `${title}, a number` })
      slider.addEventListener("input", () => { number.value = slider.value })
      return [slider, number]
    }
    const parse = ({ value }) => type === "bitmask" && value.trim() && Number.isInteger(+value) ? +value : value
    return [field("text", parse, { spellcheck: "false", autocomplete: "off" })]
  }

  describe({ minimum, maximum, default: standard, unit, flags, value, menu, type }) {
    const isNumber = type === "integer" || type === "integer64"
    if (isNumber) Object.assign(this.inputs[0], { min: minimum, max: maximum })
    if (value !== undefined) this.showValue(value)
    const reason = Object.keys(REASONS).find(flag => flags.includes(flag))
    for (const input of this.inputs) input.disabled = Boolean(reason) || !this.isAllowed
    const item = menu?.find(item => item.index === standard)?.name
    const name = item ?? (type === "boolean" ? valueText(standard === 1) : standard)
    this.note.textContent = [
      isNumber && `${minimum} to ${maximum}${unit ? `, in units of ${unit}` : ""}.`,
      !["button", "string", "compound"].includes(type) && `Default ${name}.`,
      flags.includes("inactive") && "Inactive: another control sets it.",
      REASONS[reason],
    ].filter(Boolean).join(" ")
  }

  showValue(value) {
    for (const input of this.inputs) {
      if (input.type === "checkbox") input.checked = value === true || value === 1
      else if ("value" in input && input.localName !== "button") input.value = value
    }
  }

  showOutcome(outcome) {
    this.outcome.textContent = outcomeText(outcome)
    this.outcome.className = `outcome ${{ applied: "ok", clamped: "warn" }[outcome.result] ?? "bad"}`
    if (outcome.value !== undefined) this.showValue(outcome.value)
  }
}
