// SPDX-License-Identifier: Apache-2.0
// One camera in the whole window, in full resolution, with a drawer for all that is known of it and its controls.
import { daemonTime, notice, refusal } from "./api.js"
import { Controls } from "./controls.js"
import { button, count, duration, fill, format, iconButton, make, moment, say, terms, toggleFullScreen } from "./dom.js"
import { Feed } from "./feed.js"
import { faultsOf, runs, Screen } from "./screen.js"
import { Viewer, Zoom } from "./viewer.js"

export class CameraViewer extends Viewer {
  /** `live` has names(), open(name or none), watch(name, isOn), takeStill(screen) and refuse(…). */
  constructor(live, pause) {
    super({ class: "camera viewer well", role: "group" })
    Object.assign(this, { live, pause })
    this.feed = new Feed((_, bitmap, ageMs) => this.screen.draw(bitmap, ageMs),
      (_, problem, isOpened) => live.refuse(this.screen, problem, isOpened))
    this.scale = make("output", { class: "note", "aria-label": "Enlargement" })
    this.more = iconButton("details", "Details and controls (D)", () => this.toggleDrawer(), { "aria-expanded": "false" })
    this.keys = {
      Escape: iconButton("close", "Back to all cameras (Escape)", () => live.open()), d: this.more,
      ArrowLeft: iconButton("previous", "Previous camera (left arrow)", () => this.turn(-1)),
      ArrowRight: iconButton("next", "Next camera (right arrow)", () => this.turn(1)),
    }
  }

  /** Opens a camera; one that runs has the picture of `tile`, its screen in the grid, until its own comes. */
  open(name, tile) {
    const { live, keys } = this
    this.feed.end()
    this.name = name
    const screen = this.screen = new Screen(name, live, id => `v1/frames/${id}/image`)
    this.details = new Details(name, this.drawer?.hidden ?? true)
    this.drawer = this.details.element
    const stage = make("div", { class: "stage" }, screen.picture, screen.message)
    this.element.ariaLabel = `Camera ${name}`
    this.element.replaceChildren(
      make("div", { class: "head" }, keys.Escape, make("h1", {}, name), screen.badges, screen.age,
        make("div", { class: "buttons" }, screen.watch, screen.still, keys.ArrowLeft, keys.ArrowRight, this.pause,
          iconButton("minus", "Reduce (-)", () => this.zoom.by(0.8)), this.scale,
          iconButton("plus", "Enlarge (+)", () => this.zoom.by(1.25)),
          iconButton("full", "Full screen (F)", toggleFullScreen), this.more)),
      stage, this.drawer)
    this.zoom = new Zoom(stage, screen.picture, scale => { this.scale.textContent = `${Math.round(scale * 100)} %` })
    if (tile?.isLive) {
      createImageBitmap(tile.canvas).then(bitmap => {
        if (!screen.pictureAt) screen.draw(bitmap, daemonTime() - tile.pictureAt)
        bitmap.close()
      }, () => {})
    }
    this.reveal()
  }

  close() {
    if (!this.isOpen) return
    this.feed.end()
    this.element.replaceChildren()
    super.close()
  }

  update(now) {
    this.screen.update(now)
    const { status, health, isPaused, isWatched } = now
    if (status) this.details.update(status, health)
    const isWanted = now.isWanted && status && (!isPaused || runs(status))
    this.feed.want({ cameras: isWanted ? [this.name] : [], open: isWatched ? [this.name] : [], isOnce: isPaused })
  }

  turn(step) {
    const names = this.live.names()
    const next = names[(names.indexOf(this.name) + step + names.length) % names.length]
    if (next && next !== this.name) this.live.open(next)
  }
}

class Details {
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
    say(this.note, "")
  }
}

const warmth = ({ warmth, isStarted, holds }) => [
  warmth, isStarted && "started", ...holds.map(hold => `held by ${hold.owner} until ${moment(hold.until)}`),
].filter(Boolean).join("; ")

const published = ({ schedule, published, lastPublishedAt, next }) => [
  `${schedule}: ${count(published, "frame")}`, lastPublishedAt && `last ${moment(lastPublishedAt)}`,
  next && `next ${moment(next)}`,
].filter(Boolean).join(", ")
