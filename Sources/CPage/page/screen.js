// SPDX-License-Identifier: Apache-2.0
// The picture of a camera with its state and what is to be said about it: in a tile and in the viewer.
import { allows, ask, daemonTime, problemAt } from "./api.js"
import { button, count, duration, fill, iconButton, make, moment, say, sentence } from "./dom.js"

const SAID_MS = 20000
// States in which the picture is what it seems to be; in others it is dimmed.
const CURRENT = ["Live", "Settling", "Paused", "Degraded", "Off", "Opening"]
const ALARMS = { noPicture: "No picture", frozen: "Frozen", black: "Black", uniform: "One tone" }
const STALE_MS = 5000
const STALE_FRAMES = 3
const RUNS = ["settling", "running", "degraded"]
const BARRED = { denied: "Forbidden", restricted: "Forbidden", absent: "Absent" }

export class Screen {
  /** `live` has watch(name, isOn) and takeStill(screen); `storedPath` gives the path of a stored picture by its id. */
  constructor(name, live, storedPath) {
    Object.assign(this, { name, storedPath, now: {}, isVisible: true })
    this.canvas = make("canvas", { role: "img", hidden: true })
    this.image = make("img", { alt: "", hidden: true, load: () => this.show(), error: () => this.failImage() })
    this.picture = make("div", { class: "picture" }, this.image, this.canvas)
    this.message = make("div", { class: "message fade bare" }, "Loading…")
    this.badges = make("span", { class: "badges" })
    this.age = make("span", { class: "age" })
    this.watch = button("Watch", () => live.watch(name, !this.now.isWatched), { class: "watch", hidden: true })
    this.still = iconButton("still", `Take a still of ${name}`, () => live.takeStill(this), { hidden: true })
    this.still.append(make("span", {}, "Take still"))
  }

  /** Shows `status`, `health`, `isLost`, `isPaused`, `isWatched`, and `isWanted` while live pictures are. */
  update(now) {
    if (now.isWanted && !this.now.isWanted) this.wantedAt = daemonTime()
    this.now = now
    if (!runs(now.status) && !now.isWatched) this.problem = null
    this.show()
    if (this.isVisible && !this.isLive && !now.isLost && now.status) this.loadStored()
  }

  get isLive() { return runs(this.now.status) && Boolean(this.pictureAt) }

  draw(bitmap, ageMs) {
    for (const side of ["width", "height"]) if (this.canvas[side] !== bitmap[side]) this.canvas[side] = bitmap[side]
    this.context ??= this.canvas.getContext("bitmaprenderer")
    this.context.transferFromImageBitmap(bitmap)
    this.problem = null
    const isFirst = !this.pictureAt
    this.pictureAt = daemonTime() - ageMs
    if (isFirst) this.show()
  }

  /** Shows why there is no live picture. The reason “off” is the state. */
  refuse(problem) {
    this.problem = problem.code === "camera-off" ? null : problem
    this.show()
  }

  /** Shows what an action led to: a failure for some time, another one (`kind` is "") while the camera does not run. */
  say(problem) {
    this.said = problem
    clearTimeout(this.saying)
    if (problem && problem.kind !== "") this.saying = setTimeout(() => this.say(null), SAID_MS)
    this.show()
  }

  show() {
    const { status } = this.now
    const storedAt = this.stored ? Date.parse(this.stored.capturedAt) : 0
    const isNewest = this.pictureAt && (runs(status) || this.pictureAt >= storedAt)
    this.canvas.hidden = !isNewest
    this.image.hidden = Boolean(isNewest) || !this.stored || !this.image.naturalWidth
    const hasPicture = !this.canvas.hidden || !this.image.hidden
    const state = stateOf(this.now, {
      camera: this.name, problem: this.problem, hasPicture, mayWatch: allows("still", this.name),
      picture: this.pictureAt && Math.max(this.pictureAt, this.wantedAt ?? 0),
    })
    const at = isNewest ? this.pictureAt : this.image.hidden ? null : storedAt
    const time = at && moment(at)
    const since = duration(Math.max(daemonTime() - at, 50))
    this.canvas.ariaLabel = runs(status) ? `Live picture of ${this.name}` : `Picture of ${this.name} at ${time}`
    fill(this.badges, ...badges(state, this.now.isLost ? null : status))
    const words = this.now.isLost ? `at ${time}` : `${isNewest ? "seen" : "stored"} ${since} ago`
    say(this.age, !at ? "" : isNewest && runs(status) && !this.now.isLost ? since : words)
    this.age.title = at ? `Captured ${time}` : ""
    // That watching has ended does not matter while the camera runs.
    const said = this.said?.kind === "" && runs(status) ? null : this.said
    const { detail, remedy, kind = "bad" } = said ?? state
    fill(this.message, detail && make("p", {}, detail), remedy && make("p", { class: "remedy" }, remedy))
    const isQuiet = !said && !state.kind.match("warn|bad") && state.word !== "Opening"
    const look = hasPicture ? isQuiet && "quiet" : "bare"
    this.message.className = `message fade ${kind} ${look || ""}`
    this.picture.classList.toggle("old", !CURRENT.includes(state.word))
    this.showActions(this.now)
  }

  showActions({ status, isWatched, isLost }) {
    const mayOpen = status && !isLost && allows("still", this.name)
    this.still.hidden = !mayOpen
    this.watch.hidden = !mayOpen || !isWatched && !mayBeWatched(status)
    say(this.watch, isWatched ? "Stop" : "Watch")
    this.watch.ariaLabel = `${isWatched ? "Stop watching" : "Watch"} ${this.name}`
    this.watch.title = isWatched ? "The camera closes after its time without use." : "Opens the camera while you look."
  }

  /** Asks for the newest stored picture, unless that was done since the last frame was stored or removed. */
  async loadStored() {
    if (this.isAsked) return
    this.isAsked = true
    const query = { where: `camera:"${this.name}", lost:no`, limit: 1 }
    try {
      const { frames: [frame = null], unavailable = [] } = await ask("POST", "v1/frames/query", query)
      const alt = frame && `Stored picture of ${this.name}, ${moment(frame.capturedAt)}`
      if (frame && frame.id !== this.stored?.id) Object.assign(this.image, { src: this.storedPath(frame.id), alt })
      this.stored = frame
      const detail = `The spool ${unavailable.join(", ")} does not answer: its pictures are not shown.`
      if (frame || !unavailable.length) this.show()
      else this.failStored({ detail, remedy: "Events has the reason." })
    } catch (problem) {
      this.isAsked = problem.code !== "daemon-lost"
      if (this.isAsked) this.failStored(problem)
    }
  }

  /** Shows why the newest stored picture is not known, and asks again when that was shown. */
  failStored(problem) {
    this.say(problem)
    setTimeout(() => { this.isAsked = false }, SAID_MS)
  }

  async failImage() {
    const problem = await problemAt(this.image.src)
    this.stored = null
    if (!problem) return this.show()
    this.failStored({ ...problem, detail: `The newest stored picture is not shown. ${problem.detail}` })
  }
}

function badges(state, status) {
  const since = (one, kind, word) => make("span", { class: `badge ${kind}`, title: `Since ${moment(one.since)}` }, word)
  const alarms = (status?.alarms ?? []).filter(alarm => alarm.since)
  return [
    make("span", { class: `badge ${state.kind}` }, state.word),
    status?.motion?.isMoving && since(status.motion, "warn", "Motion"),
    ...alarms.map(alarm => since(alarm, "bad", ALARMS[alarm.alarm] ?? sentence(alarm.alarm))),
  ].filter(Boolean)
}

export const runs = status => RUNS.includes(status?.state.name)

/** True for a closed camera that could be opened for a viewer. */
const mayBeWatched = ({ state, authorization }) =>
  ["off", "failed", "interrupted"].includes(state.name) && !(authorization.status in BARRED)

/** The faults of a camera, each with `kind`, `detail` and `remedy`. */
export function faultsOf(status, health) {
  const { state, failing, controls, name } = status
  const isBad = ["failed", "interrupted"].includes(state.name) || status.authorization.status in BARRED
  const found = (health?.reasons ?? []).filter(reason => reason.camera === name)
    .map(reason => ({ ...reason, kind: isBad && reason.code !== "camera-alarm" ? "bad" : "warn" }))
  // The health is asked for at the same time, but may not be known.
  const kind = isBad ? "bad" : "warn"
  if (state.reason && !found.length) found.push({ ...state.reason, retryAfterMs: undefined, kind })
  if (state.nextAttempt && found.length) found[0].remedy += ` The daemon tries again at ${moment(state.nextAttempt)}.`
  const isSaid = found.some(({ code }) => code === "stills-fail") || failing?.problem.code === state.reason?.code
  if (failing && !isSaid) {
    const detail = `${count(failing.count, "still")} failed since ${moment(failing.since)}. ${failing.problem.detail}`
    found.push({ kind: "warn", detail, remedy: failing.problem.remedy })
  }
  const shutter = { kind: "warn", detail: "The privacy shutter is closed.", remedy: "Open it to take pictures." }
  return controls?.isShutterClosed ? [...found, shutter] : found
}

/**
 * A `word` for the state with its `kind`, and `detail` and `remedy` where there is no live picture or a fault.
 * `picture` is the time since when no live picture has come, `problem` the reason.
 */
function stateOf({ status, health, isLost, isPaused, isWatched }, screen) {
  const { camera, picture, problem, hasPicture, mayWatch } = screen
  const fault = status && faultsOf(status, health)[0]
  const as = (word, kind, reason = fault) => ({ word, kind, detail: reason?.detail, remedy: reason?.remedy })
  if (!status) return as("Unknown", "bad", {
    detail: `There is no camera “${camera}”, or your role does not show it.`, remedy: "Live shows all cameras.",
  })
  if (isLost) return as("Not known", "warn", {
    detail: "The daemon does not answer.", remedy: "The picture is the last one that came.",
  })
  const name = status.state.name
  if (status.stuckCall) return as("Stuck", "bad")
  if (status.authorization.status in BARRED && !runs(status)) return as(BARRED[status.authorization.status], "bad")
  if (name === "failed" || name === "interrupted") return as(sentence(name), "bad")
  if (!runs(status)) {
    if (isWatched && problem) return as("Off", "bad", problem)
    if (isWatched || name === "opening") return as("Opening", "", { detail: "The camera is being opened." })
    if (fault) return as("Off", "warn")
    return as("Off", "", {
      detail: hasPicture ? "The camera is off." : "The camera is off, and no picture of it is stored.",
      remedy: mayWatch ? "“Watch” opens it for as long as you look." : "A schedule opens it, or someone who may watch.",
    })
  }
  const { numerator = 0, denominator = 1 } = status.format?.interval ?? {}
  const age = Math.max(status.lastFrameAgeMs ?? 0, picture && !isPaused ? daemonTime() - picture : 0)
  if (name !== "settling" && age > Math.max(STALE_MS, STALE_FRAMES * 1000 * numerator / denominator)) {
    return as("Stale", "warn", problem ?? {
      detail: `There has been no new picture for ${duration(age)}.`,
      remedy: fault?.remedy
        ?? "The daemon reopens a camera that gives none. If only this page is late, the connection is too slow.",
    })
  }
  if (isPaused) return as("Paused", "", {})
  if (!picture && problem) return as("No picture", "bad", problem)
  if (!picture) return as(sentence(name), "", { detail: "The first picture is on its way." })
  if (name === "degraded") return as("Degraded", "warn")
  return name === "settling" ? as("Settling", "") : as("Live", "ok")
}
