// SPDX-License-Identifier: Apache-2.0
// Queries and changes of stored frames.
import { allows, refusal } from "./access.js"
import { ask, notice } from "./api.js"
import { confirm } from "./confirm.js"
import { fill, make, tell } from "./dom.js"
import { isoTime, joinConditions } from "./filter.js"
import { bytes, count, moment } from "./format.js"

const SLOW_MS = 60000
const PAGE_SIZE = 100

/** The daemon changes or deletes so many frames at a time. */
export const MOST_FRAMES = 10000

/** Has the events "edited", with ids and a function from an old record to the new one, and "removed", with ids. */
export const changes = new EventTarget()

/** The next frames of a list and the cursor behind them; pages without a frame are passed over. */
export async function queryFrames(where, options) {
  let page = { frames: [], next: options.cursor }
  do page = await ask("POST", "v1/frames/query", { where, ...options, cursor: page.next }, SLOW_MS)
  while (page.next && !page.frames.length)
  return page
}

/** The first frame from a moment on, else the last one before it, else undefined. */
export async function frameAt(where, ms) {
  const pages = await Promise.all([["from", "oldest"], ["to", "newest"]].map(([bound, order]) =>
    queryFrames(joinConditions(where, `${bound}:${isoTime(ms)}`), { order, limit: 1 })))
  return pages.flatMap(page => page.frames)[0]
}

/** The number of frames between each two of these times. */
export async function countFrames(where, times) {
  const query = new URLSearchParams({ ...where && { where }, times: times.join() })
  const counts = new Array(times.length - 1).fill(0)
  const { spans } = await ask("GET", `v1/frames/days?${query}`, undefined, SLOW_MS)
  for (const { from, frames } of spans) counts[times.indexOf(Date.parse(from))] = frames
  return counts
}

/** The frames that match a filter in the order of time, around one of them; more are asked for when they are needed. */
export class FrameSequence {
  constructor(where, frame) {
    Object.assign(this, { where, frames: [frame], index: 0 })
  }

  get frame() {
    return this.frames[this.index]
  }

  /** The next frames in a direction, 1 or -1, as far as they are known. */
  near(direction, number) {
    return Array.from({ length: number }, (_, at) => this.frames[this.index + direction * (at + 1)]).filter(Boolean)
  }

  /** Goes to the next frame in a direction; false if there is none. */
  async step(direction) {
    if (!this.near(direction, 1).length) await (this.loading ??= this.load(direction).finally(() => { this.loading = null }))
    const [next] = this.near(direction, 1)
    if (next) this.index += direction
    return Boolean(next)
  }

  async load(direction) {
    // Another frame may have been captured in the same millisecond.
    const time = Date.parse(this.frames.at(direction > 0 ? -1 : 0).capturedAt)
    const where = joinConditions(this.where, direction > 0 ? `from:${isoTime(time)}` : `to:${isoTime(time + 1)}`)
    const known = new Set(this.frames.map(frame => frame.id))
    let page = {}
    let found
    do {
      page = await queryFrames(where, { order: direction > 0 ? "oldest" : "newest", limit: PAGE_SIZE, cursor: page.next })
      found = page.frames.filter(frame => !known.has(frame.id))
    } while (page.next && !found.length)
    if (direction > 0) this.frames.push(...found)
    else {
      this.frames.unshift(...found.reverse())
      this.index += found.length
    }
  }

  /** Removes the current frame and goes to the one after it, else to the one before; false if there is none. */
  async remove() {
    const { frame } = this
    if (!await this.step(1) && !await this.step(-1)) return false
    const at = this.frames.indexOf(frame)
    this.frames.splice(at, 1)
    if (at < this.index) this.index -= 1
    return true
  }
}

/** The frames that the user may change in this way, and how many are left out for which reason. */
function permitted(frames, role) {
  const own = frames.filter(frame => allows(role, frame.camera))
  const other = frames.find(frame => !allows(role, frame.camera))
  return [own, other && `${count(frames.length - own.length, "frame")} left out. ${refusal(role, other.camera)}`]
}

/** Carries out a change or a deletion. Returns the ids of the frames for which it succeeded; `host` gets what did not. */
async function carryOut(method, frames, change, done, host) {
  try {
    const ids = frames.map(frame => frame.id)
    const { changed, missing = [], refused = [], failed = [], problem } = await ask(method, "v1/frames", { ids, ...change }, SLOW_MS)
    const rest = [
      missing.length && `${count(missing.length, "frame")} did not exist any more.`,
      refused.length && `${count(refused.length, "frame")} would have more than 16 tags.`,
      failed.length && `${count(failed.length, "frame")} failed. ${problem?.detail ?? ""}`,
    ].filter(Boolean)
    const text = `${count(changed, "frame")} ${done}.`
    fill(host, rest.length > 0 && notice({ detail: [text, ...rest].join(" "), remedy: problem?.remedy }, "warn"))
    tell(text)
    const others = new Set([...missing, ...refused, ...failed])
    announceChange("removed", { ids: new Set(missing) })
    return new Set(ids.filter(id => !others.has(id)))
  } catch (problem) {
    fill(host, notice(problem))
    return new Set()
  }
}

const announceChange = (kind, detail) => changes.dispatchEvent(new CustomEvent(kind, { detail }))

async function editFrames(frames, edit, done, host) {
  const { pinned, addTags = [], removeTags = [] } = edit
  const change = frame => ({
    ...frame, pinned: pinned ?? frame.pinned,
    tags: [...new Set([...(frame.tags ?? []).filter(tag => !removeTags.includes(tag)), ...addTags])],
  })
  announceChange("edited", { ids: await carryOut("PATCH", frames, edit, done, host), change })
}

export function pinFrames(frames, pinned, host) {
  const done = pinned ? "pinned: retention keeps what is pinned" : "not pinned any more"
  return editFrames(permitted(frames, "control")[0], { pinned }, done, host)
}

/** Asks for tags to add and to remove. */
export async function tagFrames(frames, host) {
  const [own, left] = permitted(frames, "control")
  const all = own.flatMap(frame => frame.tags ?? [])
  const field = make("input", {
    id: "new-tag", pattern: "[A-Za-z0-9._\\-]{1,64}", title: "At most 64 letters, digits, dots, underscores and hyphens",
    autocomplete: "off", spellcheck: "false", autofocus: true,
  })
  const boxes = [...new Set(all)].map(value => make("input", { type: "checkbox", value }))
  const box = one => make("label", {}, one, own.length > 1 ? `${one.value} (${all.filter(tag => tag === one.value).length})` : one.value)
  const isAgreed = await confirm(`Tags of ${count(own.length, "frame")}`, [
    make("p", {}, make("label", { for: "new-tag" }, "Tag to add"), field),
    boxes.length > 0 && make("fieldset", {}, make("legend", {}, "Tags to remove"), ...boxes.map(box)),
    left && make("p", { class: "note" }, left),
  ], "Change the tags", "primary")
  const removeTags = boxes.filter(one => one.checked).map(one => one.value)
  const addTags = field.value ? [field.value] : []
  if (!isAgreed || !addTags.length && !removeTags.length) return
  const done = [...addTags.map(tag => `tagged “${tag}”`), ...removeTags.map(tag => `without “${tag}”`)].join(", ")
  await editFrames(own, { addTags, removeTags }, done, host)
}

/** Deletes frames after a question. */
export async function deleteFrames(frames, host) {
  const [own, left] = permitted(frames, "admin")
  const [first, ...others] = own.map(frame => frame.capturedAt).sort()
  const what = others.length ? count(own.length, "frame") : "frame"
  const pinned = own.filter(frame => frame.pinned).length
  const cameras = [...new Set(own.map(frame => frame.camera))].sort().join(", ")
  const size = bytes(own.reduce((sum, frame) => sum + frame.bytes, 0))
  const text = [
    `${cameras}, ${moment(first)}${others.length ? ` to ${moment(others.at(-1))}` : ""}, ${size}.`,
    pinned > 0 && (others.length ? `Pinned: ${pinned}.` : "It is pinned."),
    "What is deleted from the disk cannot be restored.", left,
  ]
  const title = others.length ? `Delete ${what}?` : "Delete this frame?"
  if (!await confirm(title, [make("p", {}, text.filter(Boolean).join(" "))], `Delete ${what}`)) return
  announceChange("removed", { ids: await carryOut("DELETE", own, {}, "deleted", host) })
}
