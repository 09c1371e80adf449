// SPDX-License-Identifier: Apache-2.0
// The picture of a tile: live where the camera runs, else the newest stored one. It opens no camera.
import { ask, problemAt } from "/page/api.js"
import { make } from "/page/dom.js"
import { age, moment } from "/page/format.js"
import { Live } from "/page/live.js"

const RUNS = ["settling", "running", "degraded"]
const LONGEST_WAIT = 16

export class Picture {
  constructor(name) {
    Object.assign(this, { name, isVisible: false, isGone: false, runs: false, isPaused: false, failures: 0, wait: 0 })
    this.live = new Live(name, (...what) => this.show(...what), (...what) => this.refresh(...what))
    this.frame = make("div", { class: "frame" })
    this.caption = make("p", { class: "caption" })
    this.element = make("div", { class: "picture" }, this.frame, this.caption)
    this.observer = new IntersectionObserver(entries => {
      this.isVisible = entries.at(-1).isIntersecting
      this.choose()
    })
    this.observer.observe(this.element)
  }

  /** To be called with each status of the camera; null while the daemon does not answer. */
  update(status, isPaused) {
    const runs = status !== null && RUNS.includes(status.state.name)
    if (!runs) Object.assign(this, { failure: undefined, failures: 0, wait: 0 })
    Object.assign(this, { runs, isPaused, isLost: status === null })
    this.wait = Math.max(0, this.wait - 1)
    if (status && this.live.hasEnded(status)) this.endLive()
    this.choose()
  }

  /** A frame of the camera was stored or removed. */
  forgetStored() {
    this.stored = undefined
  }

  /** Shows the live picture or the stored one. A call during another one makes that one check again at its end. */
  async choose() {
    this.isAsked = true
    if (this.isChoosing) return
    this.isChoosing = true
    try {
      while (this.isAsked) {
        this.isAsked = false
        await this.chooseOnce()
      }
    } finally {
      this.isChoosing = false
    }
  }

  async chooseOnce() {
    const isWanted = this.isVisible && !document.hidden && !this.isLost && !this.isGone
    const isLive = isWanted && this.runs && !this.wait
    if (!isLive) this.endLive()
    if (isLive && this.isPaused) this.live.pause()
    else if (isLive) await this.live.start()
    else if (isWanted) await this.showStored()
  }

  async showStored() {
    if (this.stored === undefined) {
      const query = { where: `camera:${this.name}, lost:no`, limit: 1 }
      const page = await ask("POST", "/v1/frames/query", query).catch(() => null)
      if (!page) return
      this.stored = page.frames[0] ?? null
    }
    const frame = this.stored
    if (this.shown !== frame) {
      const alt = frame && `Stored picture of ${this.name}, ${moment(frame.capturedAt)}`
      if (frame) this.show(`/v1/frames/${frame.id}/thumbnail?width=480`, alt)
      else this.clear()
      this.shown = frame
    }
    const caption = frame ? `Stored ${moment(frame.capturedAt)}, ${age(frame.capturedAt)} ago` : "No stored picture"
    this.caption.textContent = this.failure ? `${this.failure} ${caption}` : caption
  }

  show(path, alt, caption = "") {
    this.clear()
    this.image = make("img", { src: path, alt, load: () => this.loaded(), error: () => this.failed(path) })
    this.frame.append(this.image)
    this.caption.textContent = caption
  }

  /** Asks for another picture, unless the one before is still on its way. */
  refresh(path, alt) {
    if (!this.image?.complete) return
    Object.assign(this.image, { src: path, alt })
  }

  loaded() {
    if (this.live.mode !== "off") Object.assign(this, { failure: undefined, failures: 0 })
  }

  /** Shows why there is no live picture, and tries again later if the camera runs. */
  async failed(path) {
    if (!this.endLive()) return this.clear()
    this.failures += 1
    this.wait = Math.min(2 ** this.failures, LONGEST_WAIT)
    const problem = await problemAt(path)
    const isOff = !problem || problem.code === "camera-off"
    this.failure = isOff ? undefined : `No live picture: ${problem.detail} ${problem.remedy ?? ""}`
    this.choose()
  }

  endLive() {
    if (!this.live.end()) return false
    this.clear()
    this.caption.textContent = ""
    return true
  }

  clear() {
    // The browser reads a stream on after its element is removed, unless the element has no source.
    this.image?.removeAttribute("src")
    this.image?.remove()
    this.image = null
    this.shown = undefined
  }

  remove() {
    this.isGone = true
    this.choose()
    this.observer.disconnect()
  }
}
