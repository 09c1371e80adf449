// SPDX-License-Identifier: Apache-2.0
// The drawer of the viewer: all that is known of a camera, and its controls.
import { refusal } from "./access.js"
import { notice } from "./api.js"
import { Controls } from "./controls.js"
import { button, fill, make, say, terms } from "./dom.js"
import { count, duration, format, moment } from "./format.js"
import { faultsOf, runs } from "./states.js"

export class Details {
  constructor(name, isHidden) {
    this.name = name
    this.faults = make("div", { class: "reasons" })
    this.facts = make("dl", { class: "facts" })
    this.note = make("p", { class: "note" })
    this.offer = button("Show controls", () => this.showControls(), { hidden: true })
    this.panel = make("div", { tabindex: "-1" })
    this.element = make("section", { class: "drawer", "aria-label": `Details of ${name}`, hidden: isHidden },
      this.faults, this.facts, this.offer, this.note, this.panel)
  }

  update(status, health) {
    fill(this.faults, ...faultsOf(status, health).map(fault => notice(fault, fault.kind)))
    fill(this.facts, ...terms([
      ["Format", status.format ? format(status.format) : "Not known until the camera is opened"],
      ["Measured", status.framesPerSecond != null ? `${status.framesPerSecond.toFixed(1)} fps` : null],
      ["Last frame", status.lastFrameAgeMs != null ? `${duration(status.lastFrameAgeMs)} ago` : "None held"],
      ["Input", status.input?.name],
      ["Device", status.identity ? `${status.identity.card} (${status.identity.path})` : "None found"],
      ["Warmth", warmth(status)],
      ["Viewers", status.streams?.length],
      ...(status.publishing ?? []).map(one => ["Schedule", published(one)]),
      ["Not granted", status.unmet?.join("; ")],
    ]))
    const refused = refusal("still", this.name)
    this.offer.hidden = Boolean(refused || this.controls)
    say(this.note, refused ?? (this.controls || runs(status) ? "" : "“Show controls” opens the camera."))
  }

  showControls() {
    this.controls = new Controls(this.name, this.panel)
    this.controls.read()
    // The focus does not get lost with the button.
    this.panel.focus()
    this.offer.hidden = true
    this.note.textContent = ""
  }
}

function warmth({ warmth, isStarted, holds }) {
  const held = holds.map(hold => `held by ${hold.owner} until ${moment(hold.until)}`)
  return [warmth, isStarted && "started", ...held].filter(Boolean).join("; ")
}

function published({ schedule, published, lastPublishedAt, next }) {
  return [`${schedule}: ${count(published, "frame")}`, lastPublishedAt && `last ${moment(lastPublishedAt)}`,
    next && `next ${moment(next)}`].filter(Boolean).join(", ")
}
