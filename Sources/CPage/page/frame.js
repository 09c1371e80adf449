// SPDX-License-Identifier: Apache-2.0
// A stored frame that fills the window, with its record, the frames before and after it, and a player.
import { allows, refusal } from "./access.js"
import { ask, notice, problemAt } from "./api.js"
import { announce, fill, icon, iconButton, make, say, terms } from "./dom.js"
import { bytes, fullMoment, milliseconds, moment, pixels } from "./format.js"
import { changes, deleteFrames, FrameSequence, pinFrames, queryFrames, tagFrames } from "./frames.js"
import { isoTime, joinConditions } from "./filter.js"
import { marksOf } from "./grid.js"
import { Zoom } from "./zoom.js"

const RATES = [1, 2, 5, 10]
const AHEAD = 4
const MOST_IMAGES = 12
const WIDTH_STEP = 320
const words = value => value === undefined ? null : value ? "yes" : "no"

function rows(frame) {
  const skipped = Object.entries(frame.skipped ?? {}).map(([reason, number]) => `${number} ${reason}`).join(", ")
  const phases = Object.entries(frame.phasesMs ?? {}).map(([name, ms]) => `${name} ${milliseconds(ms)}`).join(", ")
  return terms([
    ["Captured", fullMoment(frame.capturedAt)], ["In UTC", frame.capturedAt], ["Tags", frame.tags?.join(", ")],
    ["Pinned", words(frame.pinned)], ["Size", `${pixels(frame)}, ${bytes(frame.bytes)}`],
    ["Verdict", frame.verdict ?? "not known"], ["Faults", frame.faults?.join(", ")], ["Appearance", frame.appearance?.join(", ")],
    ["Settled", words(frame.settled) ?? "not examined"],
    ["Age at the reply", milliseconds(frame.ageMs)], ["Waited", milliseconds(frame.waitedMs)],
    ["Phases", phases], ["Skipped", skipped], ["Stored", frame.lost ? "lost: the file is missing" : frame.stored],
    ["Source", frame.source], ["Sequence", frame.sequence], ["Timestamp source", frame.timestampSource],
    ["Spool", frame.spool], ["Path", frame.path], ["SHA-256", frame.sha256], ["Id", frame.id],
  ])
}

export class FrameViewer {
  /** `moved` gets the id of each frame that is shown, `closed` the one that was shown last. */
  constructor(moved, closed) {
    Object.assign(this, { moved, closed, images: new Map(), rate: 5 })
    const named = (name, text, click, more) =>
      make("button", { type: "button", title: text, click, ...more }, icon(name), make("span", {}, text))
    this.title = make("h1", { id: "frame-title" })
    this.marks = make("span", { class: "note" })
    this.pin = named("pin", "Pin", () => pinFrames([this.frame], !this.frame.pinned, this.outcome))
    this.tag = named("tag", "Tags…", () => tagFrames([this.frame], this.outcome))
    this.trash = named("trash", "Delete…", () => deleteFrames([this.frame], this.outcome))
    this.save = make("a", { class: "button", title: "Save" }, icon("save"), make("span", {}, "Save"))
    this.more = named("details", "Record", () => this.showRecord(this.drawer.hidden), { "aria-expanded": "false" })
    this.image = make("img", { alt: "", hidden: true })
    this.message = make("div", { class: "message", role: "alert" })
    this.outcome = make("div", { class: "outcome", role: "alert" })
    this.earlier = iconButton("previous", "Earlier (left arrow)", () => this.go(-1))
    this.later = iconButton("next", "Later (right arrow)", () => this.go(1))
    this.player = named("play", "Play", () => this.isPlaying ? this.pause() : this.play())
    const rate = make("select", { "aria-label": "Pictures a second", change: event => { this.rate = Number(event.target.value) } },
      ...RATES.map(value => make("option", { value, selected: value === this.rate }, `${value} a second`)))
    this.seek = make("input", { type: "range", "aria-label": "Time in the span", change: event => this.seekTo(Number(event.target.value)) })
    const picture = make("div", { class: "picture" }, this.image)
    this.stage = make("div", { class: "stage" }, picture, this.message)
    this.zoom = new Zoom(this.stage, picture)
    this.drawer = make("aside", { class: "drawer", "aria-label": "Record", hidden: true })
    this.element = make("section", {
      class: "viewer well frame", role: "dialog", "aria-modal": "true", "aria-labelledby": "frame-title", hidden: true, tabindex: "-1",
      keydown: event => this.press(event),
    }, make("div", { class: "head" }, iconButton("close", "Back to the spool (Escape)", () => this.closed(this.frame?.id)),
      this.title, this.marks, make("div", { class: "buttons" }, this.pin, this.tag, this.save, this.trash, this.more)),
    this.stage, this.drawer, make("div", { class: "player" }, this.earlier, this.player, this.later, rate, this.seek, this.outcome))
    changes.addEventListener("edited", ({ detail: { ids, apply } }) => this.edited(ids, apply))
    changes.addEventListener("removed", ({ detail: { ids } }) => { if (this.isOpen && ids.has(this.frame?.id)) this.removed() })
  }

  get isOpen() {
    return !this.element.hidden
  }

  get frame() {
    return this.sequence?.frame
  }

  /** Shows a frame, given by its record or its id, among those of a filter and a span of time. */
  async open(id, { record, where, span, plays }) {
    if (this.isOpen && this.frame?.id === id) return
    Object.assign(this, { where, span, sequence: null })
    this.element.hidden = false
    this.element.focus()
    this.outcome.replaceChildren()
    this.seek.hidden = !(span.from < span.to)
    Object.assign(this.seek, { min: span.from, max: span.to, step: 1000 })
    if (!record) {
      this.blank(`Frame ${id}`)
      try {
        record = await ask("GET", `v1/frames/${id}`)
      } catch (problem) {
        return this.fail(problem)
      }
    }
    this.sequence = new FrameSequence(where, record)
    this.show()
    if (plays) this.play()
  }

  close() {
    this.pause()
    this.element.hidden = true
    this.images.clear()
    this.sequence = null
    if (document.fullscreenElement) document.exitFullscreen()
  }

  blank(title) {
    say(this.title, title)
    fill(this.message)
    this.image.hidden = true
    for (const one of [this.pin, this.tag, this.trash, this.save, this.more]) one.hidden = true
  }

  fail(problem) {
    this.image.hidden = true
    fill(this.message, notice(problem))
  }

  /** Shows the current frame; resolves once its picture is there, or its problem. */
  async show() {
    const { frame } = this
    const { id, camera, capturedAt } = frame
    this.showFacts()
    this.seek.value = Date.parse(capturedAt)
    if (!this.isPlaying) this.moved(id)
    this.image.ariaBusy = "true"
    fill(this.message)
    try {
      if (frame.lost) throw await problemAt(this.path(frame))
      const image = await this.load(frame)
      if (this.frame?.id !== id) return
      image.alt = `Frame of ${camera}, ${moment(capturedAt)}`
      image.ariaBusy = "false"
      this.image.replaceWith(image)
      this.image = image
      image.hidden = false
      if (!this.isPlaying) this.zoom.reset()
    } catch (problem) {
      if (this.frame?.id === id && problem) this.fail(problem)
    }
    for (const one of [1, -1].flatMap(direction => this.sequence?.ahead(direction, this.isPlaying ? direction * AHEAD : 1) ?? [])) {
      if (!one.lost) this.load(one).catch(() => {})
    }
  }

  /** While it plays, thumbnails about as wide as the window: they are smaller, and never enlarged. */
  path({ id }) {
    const width = Math.min(Math.ceil(this.stage.clientWidth * devicePixelRatio / WIDTH_STEP) * WIDTH_STEP, 1920)
    return this.isPlaying ? `v1/frames/${id}/thumbnail?width=${width}` : `v1/frames/${id}/image`
  }

  /** The decoded picture of a frame; the last ones are kept. */
  load(frame) {
    const path = this.path(frame)
    if (!this.images.has(path)) {
      const image = make("img", { src: path, draggable: "false" })
      this.images.set(path, image.decode().then(() => image, async error => {
        this.images.delete(path)
        throw await problemAt(path) ?? Object.assign(error, { detail: "The browser cannot show this picture.", remedy: "Save it, and look at the file." })
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
    this.more.hidden = false
    this.save.hidden = frame.lost
    this.save.href = `v1/frames/${id}/image`
    this.save.download = `${camera}-${capturedAt.replaceAll(":", "")}.jpg`
    say(this.pin.lastChild, frame.pinned ? "Unpin" : "Pin")
    this.pin.title = this.pin.lastChild.textContent
    if (this.drawer.hidden) return
    const reason = refusal("control", camera) ?? refusal("admin", camera)
    fill(this.drawer, reason && make("p", { class: "note" }, reason), make("dl", { class: "facts" }, ...rows(frame)))
  }

  showRecord(isShown) {
    this.drawer.hidden = !isShown
    this.more.ariaExpanded = String(isShown)
    this.showFacts()
  }

  /** Goes to the next frame in a direction; false if there is none. */
  async go(direction) {
    if (!this.sequence) return false
    const { sequence } = this
    try {
      if (!await sequence.step(direction)) {
        announce(direction > 0 ? "There is no later frame." : "There is no earlier frame.")
        return false
      }
      if (this.sequence !== sequence) return false
      await this.show()
      return true
    } catch (problem) {
      this.outcome.replaceChildren(notice(problem))
      return false
    }
  }

  async play() {
    this.isPlaying = true
    this.player.firstChild.replaceWith(icon("pause"))
    say(this.player.lastChild, "Pause")
    do {
      const began = performance.now()
      if (!await this.go(1)) break
      await new Promise(resolve => setTimeout(resolve, 1000 / this.rate - (performance.now() - began)))
    } while (this.isPlaying)
    this.pause()
  }

  pause() {
    if (!this.isPlaying) return
    this.isPlaying = false
    this.player.firstChild.replaceWith(icon("play"))
    say(this.player.lastChild, "Play")
    // In place of the small picture.
    if (this.sequence) this.show()
  }

  /** Goes to the first frame from a moment on, else to the last before it. */
  async seekTo(ms) {
    try {
      const [next, last] = await Promise.all([["from", "oldest"], ["to", "newest"]].map(([bound, order]) =>
        queryFrames(joinConditions(this.where, `${bound}:${isoTime(ms)}`), { order, limit: 1 })))
      const frame = next.frames[0] ?? last.frames[0]
      if (!frame || !this.isOpen) return
      this.sequence = new FrameSequence(this.where, frame)
      await this.show()
    } catch (problem) {
      this.outcome.replaceChildren(notice(problem))
    }
  }

  edited(ids, apply) {
    if (!this.sequence) return
    this.sequence.frames = this.sequence.frames.map(frame => ids.has(frame.id) ? apply(frame) : frame)
    this.showFacts()
  }

  async removed() {
    const { sequence } = this
    const { id } = this.frame
    if (!await sequence.remove().catch(() => false)) return this.closed(id)
    if (this.sequence === sequence) this.show()
  }

  press(event) {
    if (event.target.matches("input, select") && event.key !== "Escape" || event.ctrlKey || event.metaKey || event.altKey) return
    if (this.zoom.key(event)) return event.preventDefault()
    const visible = one => one.hidden ? null : one
    const action = {
      ArrowLeft: () => this.go(-1), ArrowRight: () => this.go(1), Escape: () => this.closed(this.frame?.id),
      " ": event.target.matches("button, a") ? null : () => this.player.click(),
      p: () => visible(this.pin)?.click(), t: () => visible(this.tag)?.click(), s: () => visible(this.save)?.click(),
      i: () => visible(this.more)?.click(), Delete: () => visible(this.trash)?.click(),
      f: () => document.fullscreenElement ? document.exitFullscreen() : this.element.requestFullscreen(),
    }[event.key]
    if (!action) return
    event.preventDefault()
    action()
  }
}
