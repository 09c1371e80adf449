// SPDX-License-Identifier: Apache-2.0
// A stored frame that fills the window, with its record, the frames before and after it, and a player.
import { allows, ask, connection, notice, problemAt, refusal } from "./api.js"
import {
  announce, bytes, duration, fill, fullMoment, icon, iconButton, make, milliseconds, moment, pixels, say, sentence, terms,
} from "./dom.js"
import { changes, deleteFrames, FrameSequence, pinFrames, tagFrames } from "./frames.js"
import { marksOf } from "./grid.js"
import { Viewer, Zoom } from "./viewer.js"

const RATES = [1, 2, 5, 10]
const USUAL_RATE = 5
const [AHEAD, MOST_IMAGES] = [4, 12]
const [WIDTH_STEP, MOST_WIDTH] = [320, 1920]
const LOST = { title: "The daemon does not answer", detail: "The picture comes when it answers again." }
const BROKEN = { detail: "The browser cannot show this picture.", remedy: "Save it, and examine the file." }
const UNPLAYABLE = { detail: "The browser cannot play this file.", remedy: "Download it, and play it with another program." }
const words = value => value === undefined ? null : value ? "yes" : "no"
const pathOf = ({ id }) => `v1/frames/${id}/image`
const nameOf = ({ kind = "frame", camera, capturedAt }) => `${sentence(kind)} of ${camera}, ${moment(capturedAt)}`
const reasonAt = async (path, otherwise) => await problemAt(path) ?? (connection.isLost ? LOST : otherwise)
const release = image => (image.load && (image.removeAttribute("src"), image.load()), image)
const list = (values, text) => Object.entries(values ?? {}).map(text).join(", ")

const factsOf = frame => terms([
  ["Captured", fullMoment(frame.capturedAt)], ["In UTC", frame.capturedAt], ["Tags", frame.tags?.join(", ")],
  ["Pinned", words(frame.pinned)], ["Size", `${pixels(frame)}, ${bytes(frame.bytes)}`],
  ["Until", frame.until && fullMoment(frame.until)], ["Length", frame.kind && duration(frame.durationMs)], ["Pictures", frame.pictures],
  ["Verdict", frame.verdict ?? (frame.kind ? null : "not known")], ["Faults", frame.faults?.join(", ")],
  ["Appearance", frame.appearance?.join(", ")], ["Settled", words(frame.settled) ?? (frame.kind ? null : "not examined")],
  ["Age at the reply", milliseconds(frame.ageMs)],
  ["Waited", milliseconds(frame.waitedMs)], ["Phases", list(frame.phasesMs, ([name, ms]) => `${name} ${milliseconds(ms)}`)],
  ["Skipped", list(frame.skipped, ([reason, number]) => `${number} ${reason}`)],
  ["Stored", frame.lost ? "lost: the file is missing" : frame.stored], ["Source", frame.source], ["Sequence", frame.sequence],
  ["Timestamp source", frame.timestampSource], ["Spool", frame.spool], ["Path", frame.path], ["SHA-256", frame.sha256], ["Id", frame.id],
])

const labelled = (name, text, click, properties) =>
  make("button", { type: "button", title: text, click, ...properties }, icon(name), make("span", {}, text))

export class FrameViewer extends Viewer {
  /** `moved` gets the id of each frame that is shown, `closed` the one that was shown last. */
  constructor(moved, closed) {
    super({ class: "viewer well frame", role: "dialog", "aria-modal": "true", "aria-labelledby": "frame-title" })
    Object.assign(this, { moved, closed: () => closed(this.frame?.id), images: new Map() })
    this.title = make("h1", { id: "frame-title" })
    this.marks = make("span", { class: "note" })
    this.outcome = make("div", { role: "alert" })
    this.pin = labelled("pin", "Pin", () => pinFrames([this.frame], !this.frame.pinned, this.outcome))
    this.tag = labelled("tag", "Tags…", () => tagFrames([this.frame], this.outcome))
    this.trash = labelled("trash", "Delete…", () => deleteFrames([this.frame], this.outcome))
    this.save = make("a", { class: "button", title: "Save" }, icon("save"), make("span", {}, "Save"))
    this.more = labelled("details", "Record", () => this.toggleDrawer(), { "aria-expanded": "false" })
    this.buttons = make("div", { class: "buttons" }, this.pin, this.tag, this.save, this.trash, this.more)
    this.image = make("img", { alt: "", hidden: true })
    this.message = make("div", { class: "message", role: "alert" })
    const picture = make("div", { class: "picture" }, this.image)
    this.stage = make("div", { class: "stage" }, picture, this.message)
    this.zoom = new Zoom(this.stage, picture)
    this.drawer = make("section", { class: "drawer", "aria-label": "Record", tabindex: "0", hidden: true })
    this.playing = labelled("play", "Play", () => this.isPlaying ? this.pause() : this.play())
    this.rate = make("select", { "aria-label": "Rate" }, ...RATES.map(value =>
      make("option", { value, selected: value === USUAL_RATE }, `${value} a second`)))
    this.keys = {
      Escape: iconButton("close", "Back (Escape)", this.closed),
      ArrowLeft: iconButton("previous", "Earlier (left arrow)", () => this.go(-1)),
      ArrowRight: iconButton("next", "Later (right arrow)", () => this.go(1)),
      p: this.pin, t: this.tag, s: this.save, d: this.more, Delete: this.trash, " ": this.playing,
    }
    const { Escape: back, ArrowLeft: earlier, ArrowRight: later } = this.keys
    this.player = make("div", { class: "player" }, earlier, this.playing, later, this.rate, this.outcome)
    this.element.append(make("div", { class: "head" }, back, this.title, this.marks, this.buttons),
      this.stage, this.drawer, this.player)
    changes.addEventListener("edited", ({ detail: { ids, change } }) => {
      this.sequence?.edit(ids, change)
      if (this.sequence) this.showFacts()
    })
    changes.addEventListener("removed", ({ detail: ids }) => { if (ids.has(this.frame?.id)) this.leave() })
  }

  get frame() { return this.sequence?.frame }

  /** Shows a frame of a filter; its record may be known. */
  async open(id, { record, where, plays }) {
    if (this.frame?.id === id) return
    this.sequence = null
    this.reveal()
    this.outcome.replaceChildren()
    if (!record) {
      say(this.title, `Frame ${id}`)
      this.buttons.hidden = this.player.hidden = true
      record = await ask("GET", `v1/frames/${encodeURIComponent(id)}`).catch(problem => this.fail(problem))
      if (!record) return
    }
    this.buttons.hidden = this.player.hidden = false
    this.sequence = new FrameSequence(where, record)
    await this.show()
    if (plays) this.play()
  }

  close() {
    this.sequence = null
    this.pause()
    this.images.clear()
    release(this.image)
    super.close()
  }

  fail(problem, ...more) {
    const reason = notice(problem)
    reason.append(...more)
    this.image.hidden = true
    fill(this.message, reason)
  }

  /** Asks again for a picture that did not come. */
  retry() { if (this.frame && this.image.hidden) this.show() }

  /** Shows the current frame; ends once its picture is there, or the reason why it is not. */
  async show() {
    const { frame, sequence } = this
    this.showFacts()
    if (!this.isPlaying) this.moved(frame.id)
    this.image.ariaBusy = "true"
    try {
      const image = frame.kind && !this.isPlaying ? this.makeVideo(frame) : await this.load(frame)
      if (this.frame?.id !== frame.id) return
      image.ariaBusy = image.hidden = false
      release(this.image).replaceWith(image)
      this.image = image
      fill(this.message)
      if (!this.isPlaying) this.zoom.reset()
    } catch (problem) {
      if (this.frame?.id === frame.id) this.fail(problem)
    }
    for (const next of this.isPlaying ? sequence.near(1, AHEAD) : [...sequence.near(1, 1), ...sequence.near(-1, 1)]) {
      if (!next.kind || this.isPlaying) this.load(next).catch(() => {})
    }
  }

  /** The player of a film or clip, with its poster until it is asked to play; its controls are no place to zoom or to drag. */
  makeVideo(frame) {
    const [src, keep] = [pathOf(frame), event => event.stopPropagation()]
    const video = make("video", {
      src, poster: `v1/frames/${frame.id}/thumbnail?width=640`, controls: true, preload: "metadata", "aria-label": nameOf(frame),
      pointerdown: keep, dblclick: keep,
      error: async () => {
        const problem = await reasonAt(src, UNPLAYABLE)
        if (this.image !== video) return
        this.fail(problem, make("p", {}, make("a", { class: "button", href: src, download: this.save.download }, "Download")))
      },
    })
    return video
  }

  /** The decoded picture of a frame; the last ones are kept. While it plays, a thumbnail about as wide as the window. */
  load(frame) {
    const width = Math.min(Math.ceil(this.stage.clientWidth * devicePixelRatio / WIDTH_STEP) * WIDTH_STEP, MOST_WIDTH)
    const path = this.isPlaying ? `v1/frames/${frame.id}/thumbnail?width=${width}` : pathOf(frame)
    if (!this.images.has(path)) {
      const image = make("img", { src: path, draggable: "false", alt: nameOf(frame) })
      this.images.set(path, image.decode().then(() => image, async () => {
        this.images.delete(path)
        throw await reasonAt(path, BROKEN)
      }))
      if (this.images.size > MOST_IMAGES) this.images.delete(this.images.keys().next().value)
    }
    return this.images.get(path)
  }

  showFacts() {
    const { kind, camera, capturedAt, path, pinned, lost } = this.frame
    say(this.title, `${camera}, ${moment(capturedAt)}`)
    say(this.marks, [pinned && "pinned", ...marksOf(this.frame)].filter(Boolean).join(", "))
    this.pin.hidden = this.tag.hidden = !allows("control", camera)
    this.trash.hidden = !allows("admin", camera)
    this.save.hidden = lost
    this.playing.hidden = this.rate.hidden = Boolean(kind) && !this.isPlaying
    const end = path?.match(/\.\w+$/) ?? ".jpg"
    Object.assign(this.save, { href: pathOf(this.frame), download: `${camera}-${capturedAt.replaceAll(":", "")}${end}` })
    this.pin.title = pinned ? "Unpin" : "Pin"
    say(this.pin.lastChild, this.pin.title)
    fill(this.drawer, make("p", { class: "note" }, refusal("control", camera) ?? refusal("admin", camera) ?? ""),
      make("dl", { class: "facts" }, ...factsOf(this.frame)))
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

  /** Goes on from the current frame, which exists no more. */
  async leave() {
    const { sequence, frame } = this
    const hasNext = await sequence.step(1).catch(() => false) || await sequence.step(-1).catch(() => false)
    if (this.sequence !== sequence) return
    sequence.frames = sequence.frames.filter(one => one !== frame)
    hasNext ? this.show() : this.closed()
  }

  async play() {
    this.setPlaying(true)
    const run = this.run = Symbol("run")
    for (let due = performance.now(); this.isPlaying && this.run === run;) {
      if (!await this.go(1)) return this.pause()
      due = Math.max(due + 1000 / this.rate.value, performance.now())
      await new Promise(resolve => setTimeout(resolve, due - performance.now()))
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
}
