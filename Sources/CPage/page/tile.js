// SPDX-License-Identifier: Apache-2.0
// One camera: its picture, its status and its buttons.
import { allows, refusal } from "/page/access.js"
import { ask, cameraPath, notice } from "/page/api.js"
import { Controls } from "/page/controls.js"
import { announce, button, fill, make, say, terms } from "/page/dom.js"
import { faults } from "/page/faults.js"
import { duration, format, moment, sentence } from "/page/format.js"
import { openFrame } from "/page/frame.js"
import { Picture } from "/page/picture.js"

const STILL_LIMIT_MS = 60000

export class Tile {
  constructor(name) {
    this.name = name
    this.picture = new Picture(name)
    this.state = make("span", { class: "badge" })
    this.facts = make("dl", { class: "facts" })
    this.problems = make("div", { class: "reasons" })
    this.outcome = make("div")
    this.note = make("p", { class: "note" })
    this.still = button("Take still", () => this.takeStill(), { class: "primary" })
    this.toggle = button("Show controls", () => this.toggleControls(), { "aria-expanded": "false" })
    this.panel = make("div", { class: "panel", hidden: true })
    const title = make("h3", { id: `camera-${name}` }, name)
    this.element = make("article", { class: "tile", "aria-labelledby": title.id, "data-camera": name },
      make("div", { class: "view" }, this.picture.element,
        make("div", { class: "head" }, title, this.state),
        this.facts, this.problems, this.outcome,
        make("div", { class: "buttons" }, this.still, this.toggle), this.note),
      this.panel)
  }

  /** To be called with each status of the camera; null while the daemon does not answer. */
  update(status, isPaused) {
    this.picture.update(status, isPaused)
    if (!status) {
      say(this.state, "Not known")
      this.state.className = "badge warn"
      return
    }
    const state = status.state.name
    say(this.state, sentence(state))
    this.state.className = `badge ${{ running: "ok", failed: "bad", interrupted: "bad", degraded: "warn" }[state] ?? ""}`
    const runs = status.lastFrameAgeMs != null
    fill(this.facts, ...terms([
      ["Format", status.format ? format(status.format) : "Not known until the camera is opened"],
      ["Measured", status.framesPerSecond != null ? `${status.framesPerSecond.toFixed(1)} fps` : null],
      ["Last frame", runs ? `${duration(status.lastFrameAgeMs)} ago` : "None held"],
      ["Input", status.input?.name],
      ["Device", status.identity ? `${status.identity.card} (${status.identity.path})` : "None found"],
      ["Warmth", this.warmth(status)],
      ["Not granted", status.unmet?.join("; ")],
    ]))
    fill(this.problems, ...faults(status))
    // The status may say the same by now.
    const said = [status.state.reason, status.failing?.problem].map(problem => problem?.code)
    if (said.includes(this.failure?.code)) this.say(null)
    this.still.hidden = !allows("still", this.name)
    this.toggle.hidden = !allows("still", this.name)
    const isHint = state === "off" && !this.controls
    say(this.note, refusal("still", this.name) ?? (isHint ? "“Show controls” opens the camera." : ""))
  }

  warmth(status) {
    const holds = status.holds.map(hold => `held by ${hold.owner} until ${moment(hold.until)}`)
    return [status.warmth, status.isStarted && "started", ...holds].filter(Boolean).join("; ")
  }

  async takeStill() {
    if (this.still.ariaBusy === "true") return
    this.busy(true)
    this.say(null)
    try {
      const { stills } = await ask("POST", `${cameraPath(this.name)}/stills`, {}, STILL_LIMIT_MS)
      announce(`A still of ${this.name} is stored.`)
      openFrame(stills[0])
    } catch (problem) {
      announce(`No still of ${this.name}. ${problem.detail} ${problem.remedy ?? ""}`)
      this.say(problem)
    } finally {
      this.busy(false)
    }
  }

  /** Shows why the last still failed. */
  say(problem) {
    this.failure = problem
    this.outcome.replaceChildren(...(problem ? [notice(problem)] : []))
  }

  busy(value) {
    this.still.ariaBusy = String(value)
    this.still.textContent = value ? "Taking a still…" : "Take still"
  }

  toggleControls() {
    if (this.controls) this.closeControls()
    else {
      this.controls = new Controls(this.name, this.panel)
      this.controls.read()
    }
    const isOpen = Boolean(this.controls)
    this.panel.hidden = !isOpen
    this.element.classList.toggle("open", isOpen)
    this.toggle.ariaExpanded = String(isOpen)
    this.toggle.textContent = isOpen ? "Hide controls" : "Show controls"
    this.note.textContent = ""
  }

  closeControls() {
    this.controls = null
    this.panel.replaceChildren()
  }

  remove() {
    this.picture.remove()
    this.element.remove()
  }
}
