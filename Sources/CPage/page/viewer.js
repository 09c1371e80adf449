// SPDX-License-Identifier: Apache-2.0
// A picture that fills the window, and that is enlarged by wheel, drag, pinch, double click, and the keys + - 0.
import { find, make, toggleFullScreen } from "./dom.js"

const MOST = 8
const STEP = 1.25

/** What the viewers of a camera and of a stored frame share: `zoom`, a `drawer` with its button `more`, and `keys`. */
export class Viewer {
  constructor(properties) {
    this.element = make("section", { tabindex: "-1", hidden: true, ...properties })
    document.addEventListener("keydown", event => this.press(event))
  }

  get isOpen() { return !this.element.hidden }

  reveal() {
    this.element.hidden = false
    this.element.focus()
  }

  close() {
    this.element.hidden = true
    if (document.fullscreenElement) document.exitFullscreen()
  }

  toggleDrawer() {
    this.drawer.hidden = !this.drawer.hidden
    this.more.ariaExpanded = String(!this.drawer.hidden)
    this.zoom.apply()
  }

  /** Clicks the button of a key, if it is shown. In a field or film only Escape is a key of the viewer. */
  press(event) {
    const { key, target } = event
    if (!this.isOpen || event.ctrlKey || event.metaKey || event.altKey || find("confirm").open) return
    const isField = target.matches("input, select, textarea, video") || key === " " && target.matches("button, a")
    if (isField && key !== "Escape") return
    const letter = key.length > 1 ? key : key.toLowerCase()
    const isHandled = this.zoom?.key(event)
    if (letter === "f") toggleFullScreen()
    else if (!isHandled && this.keys[letter]?.checkVisibility()) this.keys[letter].click()
    else if (!isHandled) return
    event.preventDefault()
  }
}

export class Zoom {
  /** `target` fills `stage`; `changed` is called with the scale, 1 for all of the picture. */
  constructor(stage, target, changed = () => {}) {
    Object.assign(this, { stage, target, changed, pointers: new Map() })
    this.reset()
    stage.addEventListener("wheel", event => {
      event.preventDefault()
      this.by(event.deltaY < 0 ? STEP : 1 / STEP, event)
    }, { passive: false })
    stage.addEventListener("dblclick", event => this.scale > 1 ? this.reset() : this.by(2.5, event))
    stage.addEventListener("pointerdown", event => {
      if (event.target.closest("button, a")) return
      stage.setPointerCapture(event.pointerId)
      this.pointers.set(event.pointerId, event)
    })
    stage.addEventListener("pointermove", event => this.drag(event))
    stage.addEventListener("lostpointercapture", event => this.pointers.delete(event.pointerId))
  }

  reset() {
    Object.assign(this, { scale: 1, x: 0, y: 0 })
    this.apply()
  }

  /** Multiplies the scale; the point under `event`, or the middle, stays where it is. */
  by(factor, event) {
    const { left, top, width, height } = this.stage.getBoundingClientRect()
    const scale = Math.min(Math.max(this.scale * factor, 1), MOST)
    const share = scale / this.scale
    const [x, y] = event ? [event.clientX - left - width / 2, event.clientY - top - height / 2] : [0, 0]
    this.scale = scale
    this.pan((x - this.x) * (1 - share), (y - this.y) * (1 - share))
  }

  pan(x, y) {
    this.x += x
    this.y += y
    this.apply()
  }

  /** Handles + - 0, and the arrows with Shift; returns whether it did. */
  key(event) {
    const arrow = { ArrowLeft: [80, 0], ArrowRight: [-80, 0], ArrowUp: [0, 80], ArrowDown: [0, -80] }[event.key]
    if (["+", "="].includes(event.key)) this.by(STEP)
    else if (["-", "_"].includes(event.key)) this.by(1 / STEP)
    else if (event.key === "0") this.reset()
    else if (arrow && event.shiftKey) this.pan(...arrow)
    else return false
    return true
  }

  drag(event) {
    const before = this.pointers.get(event.pointerId)
    if (!before) return
    const other = [...this.pointers.values()].find(one => one.pointerId !== event.pointerId)
    if (other) {
      const middle = { clientX: (event.clientX + other.clientX) / 2, clientY: (event.clientY + other.clientY) / 2 }
      this.by(distance(event, other) / Math.max(distance(before, other), 1), middle)
    }
    const share = other ? 2 : 1
    this.pan((event.clientX - before.clientX) / share, (event.clientY - before.clientY) / share)
    this.pointers.set(event.pointerId, event)
  }

  apply() {
    const { clientWidth, clientHeight } = this.stage
    const limit = (value, side) => Math.min(Math.max(value, -side * (this.scale - 1) / 2), side * (this.scale - 1) / 2)
    this.x = limit(this.x, clientWidth)
    this.y = limit(this.y, clientHeight)
    this.target.style.transform = this.scale === 1 ? "" : `translate(${this.x}px, ${this.y}px) scale(${this.scale})`
    this.stage.classList.toggle("zoomed", this.scale > 1)
    this.changed(this.scale)
  }
}

const distance = (one, other) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY)
