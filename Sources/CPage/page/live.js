// SPDX-License-Identifier: Apache-2.0
// The pictures of a camera that runs: a stream, or single pictures where too many streams run already. They open no camera.
import { cameraPath } from "/page/api.js"
import { moment } from "/page/format.js"
import { most, takePlace } from "/page/places.js"

const WIDTH = 480
const RATE = 5
const REFRESH_MS = 2000
const SLOWEST_START_MS = 5000
const now = () => moment(new Date().toISOString())

export class Live {
  /** `show` gets a path, a text for it and a caption; `refresh` gets a path and a text for the same image. */
  constructor(name, show, refresh) {
    Object.assign(this, { name, show, refresh, mode: "off", number: 0 })
  }

  /** Starts a stream if there is a place for one, else asks for a picture every 2 s. */
  async start() {
    if (this.place && this.place.number >= most()) this.end()
    if (this.mode === "stream") return
    const place = await takePlace()
    if (place) {
      this.end()
      this.place = place
      this.mode = "stream"
      this.began = Date.now()
      // No other stream has this rate, so the status of the camera shows whether this one still runs.
      this.rate = RATE - Math.floor(Math.random() * 10000) / 100000
      const path = `${this.path("stream.mjpg")}&rate=${this.rate}`
      this.show(path, `Live picture of ${this.name} since ${now()}`, "Live")
    } else if (this.mode !== "stills") {
      this.end()
      this.mode = "stills"
      this.timer = setInterval(() => this.refresh(this.still(), this.text()), REFRESH_MS)
      this.show(this.still(), this.text(), "Live, a picture every 2 s")
    }
  }

  /** Shows the newest picture once. */
  pause() {
    if (this.mode === "paused") return
    this.end()
    this.mode = "paused"
    this.show(this.still(), this.text(), `Paused at ${now()}`)
  }

  /** Ends the stream or the single pictures, and returns whether there were any. The caller removes the image. */
  end() {
    const wasOn = this.mode !== "off"
    clearInterval(this.timer)
    this.place?.release()
    this.place = null
    this.mode = "off"
    return wasOn
  }

  /** Whether the stream has ended, by the status. The image does not tell: it keeps the last picture. */
  hasEnded(status) {
    if (this.mode !== "stream" || Date.now() - this.began < SLOWEST_START_MS) return false
    return !status.streams?.some(stream => stream.rate === this.rate)
  }

  path(name) {
    return `${cameraPath(this.name)}/${name}?open=false&width=${WIDTH}`
  }

  /** A path that no picture has had lately: a browser loads the same path only once. */
  still() {
    this.number = (this.number + 1) % 1000
    return `${this.path("still.jpg")}&fresh=latest&integrity=tolerant&deadlineMs=${1000 + this.number}`
  }

  text() {
    return `Picture of ${this.name} at ${now()}`
  }
}
