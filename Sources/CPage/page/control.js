// SPDX-License-Identifier: Apache-2.0
// One control of a camera: a slider, a check box, a menu, a button or a text.
import { make } from "./dom.js"
import { valueText } from "./format.js"

const WORDS = { applied: "Set", clamped: "Adjusted" }
const REASONS = {
  readOnly: "It can only be read.",
  disabled: "The camera has disabled it.",
  grabbed: "It cannot be changed now: the driver uses it.",
}

/** The outcome of a requested value, in words. */
export function outcomeText(outcome) {
  const value = outcome.value === undefined ? "" : ` to ${outcome.valueName ?? valueText(outcome.value)}`
  const asked = outcome.asked === undefined ? "" : `: ${valueText(outcome.asked)} was not set`
  const word = WORDS[outcome.result]
  return [word ? `${word}${value}.` : `Refused${asked}.`, outcome.detail].filter(Boolean).join(" ")
}

export class Control {
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
    switch (type) {
    case "boolean":
      return [field("checkbox", input => input.checked)]
    case "menu":
    case "integerMenu":
      return [make("select", { change: event => this.set(Number(event.target.value)) },
        ...(menu ?? []).map(item => make("option", { value: item.index }, item.name)))]
    case "button":
      return [make("button", { type: "button", click: () => this.set(true) }, `Press “${title}”`)]
    case "integer":
    case "integer64": {
      const slider = field("range", input => Number(input.value), { min: minimum, max: maximum, step: step || 1 })
      // It takes any number: the daemon adjusts one that is out of range, and says so.
      const number = field("number", input => Number(input.value), { step: "any", required: true, "aria-label": `${title}, a number` })
      slider.addEventListener("input", () => { number.value = slider.value })
      return [slider, number]
    }
    case "compound":
      return [make("output", {}, "Its value is neither read nor set here.")]
    default:
      return [field("text", input => this.parse(input.value), { spellcheck: "false", autocomplete: "off" })]
    }
  }

  parse(text) {
    return this.type === "bitmask" && text.trim() !== "" && Number.isInteger(Number(text)) ? Number(text) : text
  }

  /** Shows the value, the limits and whether it can be changed. */
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
