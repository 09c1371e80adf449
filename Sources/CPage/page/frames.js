// SPDX-License-Identifier: Apache-2.0
// The stored frames as a grid, page by page.
import { askIfAllowed } from "./access.js"
import { ask, notice } from "./api.js"
import { fill, find, make } from "./dom.js"
import { bytes, count, moment } from "./format.js"
import { readFilter } from "./filter.js"
import { openFrame } from "./frame.js"

const PAGE_SIZE = 24
const REFRESH_MS = 1500
const items = new Map()
let where = ""
let cursors = [undefined]
let latest = 0
let timer

/** Loads the current page of frames. Of several loads at a time only the last is shown. */
export async function loadFrames() {
  const load = latest += 1
  try {
    const cursor = cursors.at(-1)
    const page = await ask("POST", "v1/frames/query", { where, limit: PAGE_SIZE, ...(cursor && { cursor }) }, 30000)
    if (load !== latest) return
    show(page)
  } catch (problem) {
    if (load !== latest || problem.code === "daemon-lost") return
    show({ frames: [] })
    find("frames-empty").hidden = true
    find("frames-failure").replaceChildren(notice(problem))
  }
}

function show(page) {
  const frames = page.frames
  const ids = new Set(frames.map(frame => frame.id))
  for (const [id, item] of items) {
    if (ids.has(id)) continue
    item.element.remove()
    items.delete(id)
  }
  const grid = find("frames")
  frames.forEach((frame, index) => {
    if (!items.has(frame.id)) items.set(frame.id, new Item(frame))
    const item = items.get(frame.id)
    item.update(frame)
    if (grid.children[index] !== item.element) grid.insertBefore(item.element, grid.children[index] ?? null)
  })
  fill(find("frames-failure"), ...(page.unavailable ?? []).map(name => notice({
    detail: `The spool ${name} does not answer. Its frames are missing here.`, remedy: "See its state above.",
  }, "warn")))
  const empty = find("frames-empty")
  empty.hidden = frames.length > 0
  empty.textContent = page.next ? "No frame on this page matches. Older frames may."
    : where || cursors.length > 1 ? "No frame matches this filter."
    : "No frame is stored yet. Take a still of a camera, or let the daemon publish on a schedule."
  find("page-number").textContent = `Page ${cursors.length}, ${count(frames.length, "frame")}`
  find("pager").hidden = cursors.length === 1 && !page.next
  find("older").disabled = !page.next
  find("older").dataset.cursor = page.next ?? ""
  find("newer").disabled = cursors.length === 1
}

/** A frame in the grid. */
class Item {
  constructor(frame) {
    this.mark = make("span", { class: "mark" })
    const name = `${frame.camera}, ${moment(frame.capturedAt)}`
    const { id, width, height } = frame
    const image = make("img", { src: `v1/frames/${id}/thumbnail`, alt: name, loading: "lazy", width, height })
    // The text of the picture says the same.
    const line = text => make("span", { "aria-hidden": "true" }, text)
    const open = make("button", { type: "button", click: () => openFrame(this.frame, neighbours(id)) },
      image, line(frame.camera), line(moment(frame.capturedAt)), this.mark)
    this.element = make("li", { "data-frame": frame.id }, open)
  }

  update(frame) {
    this.frame = frame
    const verdict = ["intact", "sound"].includes(frame.verdict) ? null : frame.verdict
    const marks = [frame.pinned && "Pinned", frame.lost && "Lost", verdict, ...(frame.appearance ?? []), ...(frame.tags ?? [])]
    this.mark.textContent = marks.filter(Boolean).join(", ")
  }
}

/** The frames before and after one in the grid. */
function neighbours(id) {
  const all = [...find("frames").children].map(element => items.get(element.dataset.frame).frame)
  const index = all.findIndex(frame => frame.id === id)
  return { newer: all[index - 1], older: all[index + 1], of: neighbours }
}

/** Loads the page again soon, after frames were stored or removed. New frames change only the first page. */
export function framesChanged(kind) {
  if (kind === "frame-stored" && cursors.length > 1) return
  timer ??= setTimeout(() => {
    timer = undefined
    if (!document.hidden) Promise.all([loadFrames(), loadSpools()])
  }, REFRESH_MS)
}

export async function loadSpools() {
  try {
    const { spools } = await askIfAllowed("v1/spool")
    fill(find("spools"), ...spools.map(line))
  } catch (problem) {
    if (problem.code === "daemon-lost") return
    const text = `The numbers of the spool are not shown. ${problem.detail} ${problem.remedy}`
    fill(find("spools"), make("li", { class: "note" }, problem.code === "access-denied" ? text : notice(problem, "warn")))
  }
}

function line({ spool, folder, state, room, statistics }) {
  const parts = [statistics && `${count(statistics.total.frames, "frame")}, ${bytes(statistics.total.bytes)}`,
    room && `${bytes(room.freeBytes)} free of ${bytes(room.totalBytes)}`, state.name]
  return make("li", {}, make("strong", {}, spool), ` ${parts.filter(Boolean).join("; ")} `, make("code", {}, folder),
    state.reason && notice(state.reason, "bad"))
}

function turn(change) {
  change()
  loadFrames().then(() => find("frames").scrollIntoView({ block: "nearest" }))
}

export function offerFilter() {
  find("filter").onsubmit = event => {
    event.preventDefault()
    where = readFilter()
    turn(() => { cursors = [undefined] })
  }
  find("filter").onreset = () => {
    where = ""
    turn(() => { cursors = [undefined] })
  }
  find("older").onclick = () => turn(() => cursors.push(find("older").dataset.cursor))
  find("newer").onclick = () => turn(() => cursors.pop())
}
