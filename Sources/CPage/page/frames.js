// SPDX-License-Identifier: Apache-2.0
// Queries and changes of stored frames.
import { allows, refusal } from "./access.js"
import { ask, notice } from "./api.js"
import { confirm } from "./confirm.js"
import { make, tell } from "./dom.js"
import { isoTime, joinConditions } from "./filter.js"
import { bytes, count, moment } from "./format.js"

const SLOW_MS = 60000
const PAGE_SIZE = 100

/** The daemon changes or deletes so many frames at a time. */
export const MOST_FRAMES = 10000

/** Has the events "edited", with ids and a function from old record to new, and "removed", with ids. */
export const changes = new EventTarget()

export const queryFrames = (where, options) => ask("POST", "v1/frames/query", { where, ...options }, SLOW_MS)

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

  /** The frames behind the current one that are already known. */
  ahead(direction, number) {
    const at = this.index + direction
    return direction > 0 ? this.frames.slice(at, at + number) : this.frames.slice(Math.max(at + 1 - number, 0), at + 1)
  }

  /** Goes to the next frame in a direction, 1 or -1; false if there is none. */
  async step(direction) {
    const isLast = () => this.index + direction < 0 || this.index + direction === this.frames.length
    if (isLast()) await (this.loading ??= this.load(direction).finally(() => { this.loading = null }))
    if (isLast()) return false
    this.index += direction
    return true
  }

  async load(direction) {
    const edge = this.frames.at(direction > 0 ? -1 : 0)
    // Another frame may have been captured in the same millisecond.
    const time = Date.parse(edge.capturedAt)
    const where = joinConditions(this.where, direction > 0 ? `from:${isoTime(time)}` : `to:${isoTime(time + 1)}`)
    const known = new Set(this.frames.map(frame => frame.id))
    let cursor
    do {
      const page = await queryFrames(where, { order: direction > 0 ? "oldest" : "newest", limit: PAGE_SIZE, cursor })
      const found = page.frames.filter(frame => !known.has(frame.id))
      if (direction > 0) this.frames.push(...found)
      else {
        this.frames.unshift(...found.reverse())
        this.index += found.length
      }
      cursor = found.length ? undefined : page.next
    } while (cursor)
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

/** The part of the frames that the user may change in this way, and the reason why the others are left out. */
function permitted(frames, role) {
  const own = frames.filter(frame => allows(role, frame.camera))
  const other = frames.find(frame => !allows(role, frame.camera))
  return { own, left: other && `${count(frames.length - own.length, "frame")} left out. ${refusal(role, other.camera)}` }
}

/** Carries out a change or deletion; shows in `host` what did not succeed. */
async function carryOut(method, frames, change, done, host) {
  let outcome
  host.replaceChildren()
  try {
    outcome = await ask(method, "v1/frames", { ids: frames.map(frame => frame.id), ...change }, SLOW_MS)
  } catch (problem) {
    host.replaceChildren(notice(problem))
    return new Set()
  }
  const { changed, missing = [], refused = [], failed = [], problem } = outcome
  const text = `${count(changed, "frame")} ${done}.`
  const rest = [
    missing.length && `${count(missing.length, "frame")} did not exist any more.`,
    refused.length && `${count(refused.length, "frame")} would have more than 16 tags.`,
    failed.length && `${count(failed.length, "frame")} failed. ${problem?.detail ?? ""}`,
  ].filter(Boolean)
  if (rest.length) host.replaceChildren(notice({ detail: [text, ...rest].join(" "), remedy: problem?.remedy }, "warn"))
  tell(text)
  const without = new Set([...refused, ...failed])
  const gone = new Set(missing)
  changes.dispatchEvent(new CustomEvent("removed", { detail: { ids: gone } }))
  return new Set(frames.map(frame => frame.id).filter(id => !without.has(id) && !gone.has(id)))
}

/** Pins, unpins or tags frames. */
export async function editFrames(frames, change, done, host) {
  const { own } = permitted(frames, "control")
  const ids = await carryOut("PATCH", own, change, done, host)
  const { pinned, addTags = [], removeTags = [] } = change
  const apply = frame => ({
    ...frame, pinned: pinned ?? frame.pinned,
    tags: [...new Set([...(frame.tags ?? []).filter(tag => !removeTags.includes(tag)), ...addTags])],
  })
  changes.dispatchEvent(new CustomEvent("edited", { detail: { ids, apply } }))
}

export const pinFrames = (frames, pinned, host) =>
  editFrames(frames, { pinned }, pinned ? "pinned: retention keeps what is pinned" : "not pinned any more", host)

/** Asks for tags to add and to remove. */
export async function tagFrames(frames, host) {
  const { own, left } = permitted(frames, "control")
  const numbers = new Map()
  for (const tag of own.flatMap(frame => frame.tags ?? [])) numbers.set(tag, (numbers.get(tag) ?? 0) + 1)
  const field = make("input", {
    id: "new-tag", pattern: "[A-Za-z0-9._\\-]{1,64}", title: "At most 64 letters, digits, dots, underscores and hyphens",
    autocomplete: "off", spellcheck: "false", autofocus: true,
  })
  const boxes = [...numbers].map(([tag, number]) => make("label", {}, make("input", { type: "checkbox", value: tag }),
    own.length > 1 ? `${tag} (${number})` : tag))
  const content = [make("p", {}, make("label", { for: "new-tag" }, "Tag to add "), field),
    boxes.length > 0 && make("fieldset", {}, make("legend", {}, "Tags to remove"), ...boxes), left && make("p", { class: "note" }, left)]
  if (!await confirm(`Tags of ${count(own.length, "frame")}`, content, "Change the tags", "primary")) return
  const removeTags = boxes.map(box => box.firstChild).filter(box => box.checked).map(box => box.value)
  const addTags = field.value ? [field.value] : []
  if (!addTags.length && !removeTags.length) return
  const done = [addTags.length && `tagged “${field.value}”`, removeTags.length && `without ${removeTags.join(", ")}`]
  await editFrames(own, { addTags, removeTags }, done.filter(Boolean).join(" and "), host)
}

/** Deletes frames after a question. */
export async function deleteFrames(frames, host) {
  const { own, left } = permitted(frames, "admin")
  const times = own.map(frame => frame.capturedAt).sort()
  const pinned = own.filter(frame => frame.pinned).length
  const cameras = [...new Set(own.map(frame => frame.camera))].sort().join(", ")
  const size = bytes(own.reduce((sum, frame) => sum + frame.bytes, 0))
  const when = own.length > 1 ? `${moment(times[0])} to ${moment(times.at(-1))}` : moment(times[0])
  const what = own.length > 1 ? count(own.length, "frame") : "this frame"
  const text = [`${cameras}, ${when}, ${size}.`, pinned && (own.length === 1 ? "It is pinned." : `${pinned} of them ${pinned === 1 ? "is" : "are"} pinned.`),
    "The files are deleted from the disk. This cannot be undone.", left].filter(Boolean).join(" ")
  if (!await confirm(`Delete ${what}?`, [make("p", {}, text)], own.length > 1 ? `Delete ${what}` : "Delete frame")) return
  const ids = await carryOut("DELETE", own, {}, "deleted", host)
  changes.dispatchEvent(new CustomEvent("removed", { detail: { ids } }))
}
