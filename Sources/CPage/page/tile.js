// SPDX-License-Identifier: Apache-2.0
// One camera in the grid: its picture, its name and badges, and its actions.
import { make } from "./dom.js"
import { Screen } from "./screen.js"

export class Tile {
  constructor(name, live) {
    const screen = new Screen(name, live, id => `v1/frames/${id}/thumbnail?width=${live.width()}`)
    Object.assign(this, { name, screen })
    screen.isVisible = false
    this.link = make("a", { class: "open", href: `#live/${encodeURIComponent(name)}`, "aria-label": `Open ${name}` })
    this.element = make("article", { class: "tile well", "data-camera": name, "aria-label": name },
      screen.picture, this.link,
      make("div", { class: "foot" }, screen.message,
        make("div", { class: "strip" }, make("h2", {}, name), screen.badges, screen.age)),
      make("div", { class: "actions" }, screen.still, screen.watch))
  }
}
