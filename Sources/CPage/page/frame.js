// SPDX-License-Identifier: Apache-2.0
// A stored frame that fills the window, with its record, the frames before and after it, and a player.
import { allows, refusal } from "./access.js"
import { ask, connection, notice, problemAt } from "./api.js"
import { announce, fill, icon, iconButton, make, say, terms } from "./dom.js"
import { bytes, fullMoment, milliseconds, moment, pixels } from "./format.js"
import { changes, deleteFrames, frameAt, FrameSequence, pinFrames, tagFrames } from "./frames.js"
import { marksOf } from "./grid.js"
import { Zoom } from "./zoom.js"

const RATES = [1, 2, 5, 10]
const AHEAD = 4
const MOST_IMAGES = 12
const WIDTH_STEP = 320
const MOST_WIDTH = 1920
const LOST = { title: "The daemon does not answer", detail: "The picture comes when it answers again." }
const BROKEN = { detail: "The browser cannot show this picture.", remedy: "Save it, and examine the file." }
const words = value => value === undefined ? null : value ? "yes" : "no"

function facts(frame) {
  const list = values => Object.entries(values ?? {})
  return terms([
    ["Captured", fullMoment(frame.capturedAt)], ["In UTC", frame.capturedAt], ["Tags", frame.tags?.join(", ")],
    ["Pinned", words(frame.pinned)], ["Size", `${pixels(frame)}, ${bytes(frame.bytes)}`],
    ["Verdict", frame.verdict ?? "not known"], ["Faults", frame.faults?.join(", ")], ["Appearance", frame.appearance?.join(", ")],
    ["Settled", words(frame.settled) ?? "not examined"],
    ["Age at the reply", milliseconds(frame.ageMs)], ["Waited", milliseconds(frame.waitedMs)],
    ["Phases", list(frame.phasesMs).map(([name, ms]) => `${name} ${milliseconds(ms)}`).join(", ")],
    ["Skipped", list(frame.skipped).map(([reason, number]) => `${number} ${reason}`).join(", ")],
    ["Stored", frame.lost ? "lost: the file is missing" : frame.stored], ["Source", frame.source],
    ["Sequence", frame.sequence], ["Timestamp source", frame.timestampSource], ["Spool", frame.spool], ["Path", frame.path],
    ["SHA-256", frame.sha256], ["Id", frame.id],
  ])
}

const labelled = (name, text, click, properties) =>
  make("button", { type: "button", title: text, click, ...properties }, icon(name), make("span", {}, text))

export class FrameViewer {
  /** `moved` gets the id of each frame that is shown, `closed` the one that was shown last. */
  constructor(moved, closed) {
    Object.assign(this, { moved, closed, images: new Map() })
    const close = () => closed(this.frame?.id)
    this.title = make("h1", { id: "frame-title" })
    this.marks = make("span", { class: "note" })
    this.pin = labelled("pin", "Pin", () => pinFrames([this.frame], !this.frame.pinned, this.outcome))
    this.tag = labelled("tag", "Tags…", () => tagFrames([this.frame], this.outcome))
    this.trash = labelled("trash", "Delete…", () => deleteFrames([this.frame], this.outcome))
    this.save = make("a", { class: "button", title: "Save" }, icon("save"), make("span", {}, "Save"))
    this.more = labelled("details", "Record", () => this.showRecord(this.drawer.hidden), { "aria-expanded": "false" })
    this.buttons = make("div", { class: "buttons" }, this.pin, this.tag, this.save, this.trash, this.more)
    this.image = make("img", { alt: "", hidden: true })
    this.message = make("div", { class: "message", role: "alert" })
    const picture = make("div", { class: "picture" }, this.image)
    this.stage = make("div", { class: "stage" }, picture, this.message)
    this.zoom = new Zoom(this.stage, picture)
    this.drawer = make("aside", { class: "drawer", "aria-label": "Record", hidden: true })
    this.playing = labelled("play", "Play", () => this.isPlaying ? this.pause() : this.play())
    this.rate = make("select", { "aria-label": "Rate" }, ...RATES.map(value =>
      make("option", { value, selected: value === 5 }, `${value} a second`)))
    this.seek = make("input", { type: "range", "aria-label": "Time", step: 1000, change: () => this.seekTo(Number(this.seek.value)) })
    this.outcome = make("div", { role: "alert" })
    this.player = make("div", { class: "player" }, iconButton("previous", "Earlier (left arrow)", () => this.go(-1)), this.playing,
      iconButton("next", "Later (right arrow)", () => this.go(1)), this.rate, this.seek)
    const click = one => () => { if (!one.hidden) one.click() }
    this.keys = {
      ArrowLeft: () => this.go(-1), ArrowRight: () => this.go(1), Escape: close, " ": () => this.playing.click(),
      p: click(this.pin), t: click(this.tag), s: click(this.save), d: click(this.more), Delete: click(this.trash),
      f: () => document.fullscreenElement ? document.exitFullscreen() : this.element.requestFullscreen(),
    }
    this.element = make("section", {
      class: "viewer well frame", role: "dialog", "aria-modal": "true", "aria-labelledby": "frame-title", hidden: true, tabindex: "-1",
      keydown: event => this.press(event),
    }, make("div", { class: "head" }, iconButton("close", "Back (Escape)", close), this.title, this.marks, this.buttons),
    this.stage, this.drawer, this.player, this.outcome)
    changes.addEventListener("edited", ({ detail: { ids, change } }) => {
      if (!this.sequence) return
      this.sequence.frames = this.sequence.frames.map(frame => ids.has(frame.id) ? change(frame) : frame)
      this.showFacts()
    })
    changes.addEventListener("removed", ({ detail: { ids } }) => { if (ids.has(this.frame?.id)) this.leave() })
  }

  get isOpen() {
    return !this.element.hidden
  }

  get frame() {
    return this.sequence?.frame
  }

  /** Shows a frame, of which the record may be known, among those of a filter and a span of time. */
  async open(id, { record, where, span, plays }) {
    if (this.isOpen && this.frame?.id === id) return
    Object.assign(this, { where, span, sequence: null })
    this.element.hidden = false
    this.element.focus()
    this.outcome.replaceChildren()
    this.seek.hidden = !(span.from < span.to)
    Object.assign(this.seek, { min: span.from, max: span.to })
    if (!record) {
      say(this.title, `Frame ${id}`)
      this.buttons.hidden = this.player.hidden = true
      try {
        record = await ask("GET", `v1/frames/${id}`)
      } catch (problem) {
        return this.fail(problem)
      }
    }
    this.buttons.hidden = this.player.hidden = false
    this.sequence = new FrameSequence(where, record)
    await this.show()
    if (plays) this.play()
  }

  close() {
    this.pause()
    this.element.hidden = true
    this.images.clear()
    this.sequence = null
    if (document.fullscreenElement) document.exitFullscreen()
  }

  fail(problem) {
    this.image.hidden = true
    fill(this.message, notice(problem))
  }

  /** Asks again for a picture that did not come. */
  retry() {
    if (this.frame && this.image.hidden) this.show()
  }

  /** Shows the current frame; ends once its picture is there, or the reason why it is not. */
  async show() {
    const { frame } = this
    this.showFacts()
    this.seek.value = Date.parse(frame.capturedAt)
    this.seek.ariaValueText = moment(frame.capturedAt)
    if (!this.isPlaying) this.moved(frame.id)
    this.image.ariaBusy = "true"
    try {
      const image = await this.load(frame)
      if (this.frame !== frame) return
      image.alt = `Frame of ${frame.camera}, ${moment(frame.capturedAt)}`
      image.ariaBusy = image.hidden = false
      this.image.replaceWith(image)
      this.image = image
      fill(this.message)
      if (!this.isPlaying) this.zoom.reset()
    } catch (problem) {
      if (this.frame === frame) this.fail(problem)
    }
    if (this.frame !== frame) return
    const { sequence } = this
    for (const one of this.isPlaying ? sequence.near(1, AHEAD) : [...sequence.near(1, 1), ...sequence.near(-1, 1)]) {
      this.load(one).catch(() => {})
    }
  }

  /** The decoded picture of a frame; the last ones are kept. While it plays, a thumbnail about as wide as the window. */
  load({ id }) {
    const width = Math.min(Math.ceil(this.stage.clientWidth * devicePixelRatio / WIDTH_STEP) * WIDTH_STEP, MOST_WIDTH)
    const path = `v1/frames/${id}/${this.isPlaying ? `thumbnail?width=${width}` : "image"}`
    if (!this.images.has(path)) {
      const image = make("img", { src: path, draggable: "false" })
      this.images.set(path, image.decode().then(() => image, async () => {
        this.images.delete(path)
        throw await problemAt(path) ?? (connection.isLost ? LOST : BROKEN)
      }))
      if (this.images.size > MOST_IMAGES) this.images.delete(this.images.keys().next().value)
    }
    return this.images.get(path)
  }

  showFacts() {
    const { frame } = this
    const { id, camera, capturedAt } = frame
    say(this.title, `${camera}, ${moment(capturedAt)}`)
    say(this.marks, [frame.pinned && "pinned", ...marksOf(frame)].filter(Boolean).join(", "))
    this.pin.hidden = this.tag.hidden = !allows("control", camera)
    this.trash.hidden = !allows("admin", camera)
    this.save.hidden = frame.lost
    Object.assign(this.save, { href: `v1/frames/${id}/image`, download: `${camera}-${capturedAt.replaceAll(":", "")}.jpg` })
    this.pin.title = frame.pinned ? "Unpin" : "Pin"
    say(this.pin.lastChild, this.pin.title)
    if (this.drawer.hidden) return
    fill(this.drawer, make("p", { class: "note" }, refusal("control", camera) ?? refusal("admin", camera) ?? ""),
      make("dl", { class: "facts" }, ...facts(frame)))
  }

  showRecord(isShown) {
    this.drawer.hidden = !isShown
    this.more.ariaExpanded = String(isShown)
    this.showFacts()
  }

  /** Goes to the next frame in a direction; false if there is none. */
  async go(direction) {
    const { sequence } = this
    try {
      const isThere = await sequence.step(direction)
      if (this.sequence !== sequence) return false
      if (isThere) await this.show()
      else announce(direction > 0 ? "There is no later frame." : "There is no earlier frame.")
      return isThere
    } catch (problem) {
      fill(this.outcome, notice(problem))
      return false
    }
  }

  /** Plays from the current frame on, from the first one if it is the last. */
  async play() {
    this.setPlaying(true)
    const run = this.run = Symbol("run")
    if (!await this.go(1)) await this.seekTo(0)
    for (let due = performance.now(); this.isPlaying && this.run === run;) {
      due = Math.max(due + 1000 / this.rate.value, performance.now())
      await new Promise(resolve => setTimeout(resolve, due - performance.now()))
      if (this.isPlaying && this.run === run && !await this.go(1)) this.pause()
    }
  }

  pause() {
    if (!this.isPlaying) return
    this.setPlaying(false)
    // In place of the thumbnail.
    if (this.sequence) this.show()
  }

  setPlaying(isPlaying) {
    this.isPlaying = isPlaying
    this.playing.firstChild.replaceWith(icon(isPlaying ? "pause" : "play"))
    say(this.playing.lastChild, isPlaying ? "Pause" : "Play")
  }

  /** Goes to the first frame from a moment on, else to the last one before it. */
  async seekTo(ms) {
    try {
      const frame = await frameAt(this.where, ms)
      if (!frame || !this.isOpen) return
      this.sequence = new FrameSequence(this.where, frame)
      await this.show()
    } catch (problem) {
      fill(this.outcome, notice(problem))
    }
  }

  /** Leaves the current frame, which exists no more, for the next one. */
  async leave() {
    const { sequence } = this
    const { id } = this.frame
    const hasNext = await sequence.remove().catch(() => false)
    if (this.sequence === sequence) hasNext ? this.show() : this.closed(id)
  }

  press(event) {
    const isField = event.target.matches("input, select") && event.key !== "Escape"
    const isPress = event.key === " " && event.target.matches("button, a")
    if (isField || isPress || event.ctrlKey || event.metaKey || event.altKey) return
    const key = event.key.length > 1 ? event.key : event.key.toLowerCase()
    if (!this.zoom.key(event)) {
      if (!this.keys[key] || !this.sequence && key !== "Escape") return
      this.keys[key]()
    }
    event.preventDefault()
  }
}
