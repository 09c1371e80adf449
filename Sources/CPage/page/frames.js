// SPDX-License-Identifier: Apache-2.0
// Queries and changes of stored frames.
import { allows, ask, notice, refusal } from "./api.js"
import { bytes, confirm, count, fill, make, moment, tell } from "./dom.js"
import { isoTime, joinConditions } from "./filter.js"

const SLOW_MS = 60000
const PAGE_SIZE = 100

/** The daemon changes or deletes so many frames at a time. */
export const MOST_FRAMES = 10000

/** Has the events "edited", with ids and a function from an old record to the new one, and "removed", with ids. */
export const changes = new EventTarget()
const tellChange = (kind, detail) => changes.dispatchEvent(new CustomEvent(kind, { detail }))

/** The next frames of a list and the cursor behind them; pages without a frame are passed over. */
export async function queryFrames(where, options) {
  let page = { next: options.cursor }
  do page = await ask("POST", "v1/frames/query", { where, ...options, cursor: page.next }, SLOW_MS)
  while (page.next && !page.frames.length)
  return page
}

/** The number of frames between each two of these times. */
export async function countFrames(where, times) {
  const query = new URLSearchParams({ ...where && { where }, times: times.join() })
  const { spans } = await ask("GET", `v1/frames/days?${query}`, undefined, SLOW_MS)
  const numbers = new Map(spans.map(({ from, frames }) => [Date.parse(from), frames]))
  return times.slice(0, -1).map(time => numbers.get(time) ?? 0)
}

/** The frames that match a filter in the order of time, around one of them; more are asked for when they are needed. */
export class FrameSequence {
  constructor(where, frame) { Object.assign(this, { where, frame, frames: [frame] }) }

  /** The next frames in a direction, 1 or -1, as far as they are known. */
  near(direction, number) {
    const index = this.frames.indexOf(this.frame)
    return Array.from({ length: number }, (_, at) => this.frames[index + direction * (at + 1)]).filter(Boolean)
  }

  /** Goes to the next frame in a direction; false if there is none. */
  async step(direction) {
    if (!this.near(direction, 1).length) await (this.loading ??= this.load(direction).finally(() => { this.loading = null }))
    const [next] = this.near(direction, 1)
    this.frame = next ?? this.frame
    return Boolean(next)
  }

  async load(direction) {
    // Another frame may have been captured in the same millisecond.
    const time = Date.parse(this.frames.at(direction > 0 ? -1 : 0).capturedAt)
    const where = joinConditions(this.where, direction > 0 ? `from:${isoTime(time)}` : `to:${isoTime(time + 1)}`)
    const known = new Set(this.frames.map(frame => frame.id))
    const order = direction > 0 ? "oldest" : "newest"
    let cursor, found
    do {
      const page = await queryFrames(where, { order, limit: PAGE_SIZE, cursor })
      cursor = page.next
      found = page.frames.filter(frame => !known.has(frame.id))
    } while (cursor && !found.length)
    this.frames = direction > 0 ? [...this.frames, ...found] : [...found.reverse(), ...this.frames]
  }

  edit(ids, change) {
    const index = this.frames.indexOf(this.frame)
    this.frames = this.frames.map(frame => ids.has(frame.id) ? change(frame) : frame)
    this.frame = this.frames[index]
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
  const ids = frames.map(frame => frame.id)
  try {
    const { changed, missing = [], refused = [], failed = [], problem } = await ask(method, "v1/frames", { ids, ...change }, SLOW_MS)
    const text = `${count(changed, "frame")} ${done}.`
    const rest = [[missing, "did not exist any more."], [refused, "would have more than 16 tags."], [failed, `failed. ${problem?.detail}`]]
      .filter(([some]) => some.length).map(([some, what]) => `${count(some.length, "frame")} ${what}`)
    fill(host, rest.length > 0 && notice({ detail: [text, ...rest].join(" "), remedy: problem?.remedy }, "warn"))
    tell(text)
    tellChange("removed", new Set(missing))
    const others = new Set([...missing, ...refused, ...failed])
    return new Set(ids.filter(id => !others.has(id)))
  } catch (problem) {
    fill(host, notice(problem))
    return new Set()
  }
}

async function editFrames(frames, edit, done, host) {
  const { pinned, addTags = [], removeTags = [] } = edit
  const change = ({ tags = [], ...frame }) => ({
    ...frame, pinned: pinned ?? frame.pinned, tags: [...new Set([...tags.filter(tag => !removeTags.includes(tag)), ...addTags])],
  })
  tellChange("edited", { ids: await carryOut("PATCH", frames, edit, done, host), change })
}

export const pinFrames = (frames, pinned, host) => editFrames(permitted(frames, "control")[0], { pinned },
  pinned ? "pinned: retention keeps what is pinned" : "not pinned any more", host)

export async function tagFrames(frames, host) {
  const [own, left] = permitted(frames, "control")
  const all = own.flatMap(frame => frame.tags ?? [])
  const field = make("input", {
    id: "new-tag", pattern: "[A-Za-z0-9._\\-]{1,64}", title: "At most 64 letters, digits, dots, underscores and hyphens",
    autocomplete: "off", spellcheck: "false", autofocus: true,
  })
  const boxes = [...new Set(all)].map(value => make("input", { type: "checkbox", value }))
  const label = ({ value }) => own.length > 1 ? `${value} (${all.filter(tag => tag === value).length})` : value
  const isAgreed = await confirm(`Tags of ${count(own.length, "frame")}`, [
    make("label", {}, "Tag to add", field), left && make("p", { class: "note" }, left),
    boxes.length > 0 && make("fieldset", {}, make("legend", {}, "Tags to remove"), ...boxes.map(box => make("label", {}, box, label(box)))),
  ], "Change the tags", "primary")
  const removeTags = boxes.filter(box => box.checked).map(box => box.value)
  const addTags = field.value ? [field.value] : []
  if (!isAgreed || !addTags.length && !removeTags.length) return
  const done = [...addTags.map(tag => `tagged “${tag}”`), ...removeTags.map(tag => `without “${tag}”`)].join(", ")
  await editFrames(own, { addTags, removeTags }, done, host)
}

export async function deleteFrames(frames, host) {
  const [own, left] = permitted(frames, "admin")
  if (!own.length) return fill(host, notice({ detail: left }))
  const times = own.map(frame => frame.capturedAt).sort()
  const isOne = own.length === 1
  const what = isOne ? "frame" : count(own.length, "frame")
  const pinned = own.filter(frame => frame.pinned).length
  const cameras = [...new Set(own.map(frame => frame.camera))].sort().join(", ")
  const size = bytes(own.reduce((sum, frame) => sum + frame.bytes, 0))
  const text = [
    `${cameras}, ${moment(times[0])}${isOne ? "" : ` to ${moment(times.at(-1))}`}, ${size}.`,
    pinned > 0 && (isOne ? "It is pinned." : `Pinned: ${pinned}.`), "What is deleted from the disk cannot be restored.", left,
  ].filter(Boolean).join(" ")
  if (!await confirm(`Delete ${isOne ? "this frame" : what}?`, [make("p", {}, text)], `Delete ${what}`)) return
  tellChange("removed", await carryOut("DELETE", own, {}, "deleted", host))
}
