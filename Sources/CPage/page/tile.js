// SPDX-License-Identifier: Apache-2.0
// One camera in the grid: its picture, its name and badges, and its actions.
import { allows } from "./access.js"
import { button, iconButton, make } from "./dom.js"
import { mayBeWatched } from "./states.js"
import { Screen } from "./screen.js"

export class Tile {
  /** `live` has watch(name, isOn) and takeStill(screen, button). */
  constructor(name, live) {
    this.name = name
    this.screen = new Screen(name, id => `v1/frames/${id}/thumbnail?width=${live.width()}`)
    this.screen.isVisible = false
    this.watch = button("Watch", () => live.watch(name, !this.screen.now.isWatched), { class: "watch" })
    this.still = iconButton("still", `Take a still of ${name}`, () => live.takeStill(this.screen, this.still))
    this.link = make("a", { class: "open", href: `#live/${encodeURIComponent(name)}`, "aria-label": `Open ${name}` })
    this.element = make("article", { class: "tile well", "data-camera": name, "aria-label": name },
      this.screen.picture, this.link,
      make("div", { class: "foot" }, this.screen.message,
        make("div", { class: "strip" }, make("h2", {}, name), this.screen.badges, this.screen.age)),
      make("div", { class: "actions" }, this.still, this.watch))
    this.screen.changed = () => this.show()
  }

  show() {
    const { status, isWatched, isLost } = this.screen.now
    const mayOpen = status && !isLost && allows("still", this.name)
    this.still.hidden = !mayOpen
    this.watch.hidden = !mayOpen || !isWatched && !mayBeWatched(status)
    this.watch.textContent = isWatched ? "Stop" : "Watch"
    this.watch.ariaLabel = isWatched ? `Stop watching ${this.name}` : `Watch ${this.name}`
    this.watch.title = isWatched ? "The camera closes after its time without use." : "Opens the camera for as long as you look."
  }
}
