// SPDX-License-Identifier: Apache-2.0
// One camera in the whole window, in full resolution, with a drawer for details and controls.
import { daemonTime } from "./api.js"
import { Details } from "./details.js"
import { iconButton, make, toggleFullScreen } from "./dom.js"
import { Feed } from "./feed.js"
import { Screen } from "./screen.js"
import { runs } from "./states.js"
import { Zoom } from "./zoom.js"

export class Viewer {
  /** `live` has names(), open(name or none), watch(name, isOn), takeStill(screen) and refuse(…). */
  constructor(live, pause) {
    Object.assign(this, { live, pause })
    this.element = make("div", { class: "camera viewer well", role: "group", tabindex: "-1", hidden: true })
    this.feed = new Feed((_, bitmap, ageMs) => this.screen.draw(bitmap, ageMs),
      (_, problem, isOpened) => live.refuse(this.screen, problem, isOpened))
    this.isDetailed = false
    document.addEventListener("keydown", event => this.key(event))
  }

  get isOpen() {
    return !this.element.hidden
  }

  /** Opens a camera; one that runs has the picture of `tile`, its screen in the grid, until its own comes. */
  open(name, tile) {
    const { live } = this
    this.feed.end()
    this.name = name
    const screen = this.screen = new Screen(name, live, id => `v1/frames/${id}/image`)
    this.details = new Details(name, !this.isDetailed)
    this.drawer = iconButton("details", "Details and controls (D)", () => this.toggleDetails())
    this.drawer.ariaExpanded = String(this.isDetailed)
    this.scale = make("output", { class: "note", "aria-label": "Enlargement" })
    const stage = make("div", { class: "stage" }, screen.picture, screen.message)
    this.element.ariaLabel = `Camera ${name}`
    this.element.replaceChildren(
      make("div", { class: "head" },
        iconButton("close", "Back to all cameras (Escape)", () => live.open()),
        make("h1", {}, name), screen.badges, screen.age,
        make("div", { class: "buttons" }, screen.watch, screen.still,
          iconButton("previous", "Previous camera (left arrow)", () => this.turn(-1)),
          iconButton("next", "Next camera (right arrow)", () => this.turn(1)), this.pause,
          iconButton("minus", "Reduce (-)", () => this.zoom.by(0.8)), this.scale,
          iconButton("plus", "Enlarge (+)", () => this.zoom.by(1.25)),
          iconButton("full", "Full screen (F)", toggleFullScreen), this.drawer)),
      stage, this.details.element)
    this.zoom = new Zoom(stage, screen.picture, scale => { this.scale.textContent = `${Math.round(scale * 100)} %` })
    if (tile?.isLive) {
      createImageBitmap(tile.canvas).then(bitmap => {
        if (!screen.pictureAt) screen.draw(bitmap, daemonTime() - tile.pictureAt)
        bitmap.close()
      }, () => {})
    }
    this.element.hidden = false
    this.element.focus()
  }

  close() {
    if (!this.isOpen) return
    this.feed.end()
    this.element.hidden = true
    this.element.replaceChildren()
    if (document.fullscreenElement) document.exitFullscreen()
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

  toggleDetails() {
    this.isDetailed = !this.isDetailed
    this.details.element.hidden = !this.isDetailed
    this.drawer.ariaExpanded = String(this.isDetailed)
    this.zoom.apply()
  }

  key(event) {
    if (!this.isOpen || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return
    if (event.target.matches("input, select, textarea") && event.key !== "Escape") return
    if (this.zoom.key(event)) return event.preventDefault()
    const actions = {
      Escape: () => this.live.open(), f: toggleFullScreen, d: () => this.toggleDetails(),
      ArrowLeft: () => this.turn(-1), ArrowRight: () => this.turn(1),
    }
    actions[event.key]?.()
  }
}
