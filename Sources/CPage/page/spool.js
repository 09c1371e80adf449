// SPDX-License-Identifier: Apache-2.0
// The view of stored frames: filter, calendar, timeline, thumbnails, and what can be done with many of them.
import { allows, askIfAllowed, refusal } from "./access.js"
import { connection, notice } from "./api.js"
import { Calendar } from "./calendar.js"
import { button, fill, icon, make, say } from "./dom.js"
import { conditionsOf, dayText, Filter, filterOf, isoTime, midnight, spanOf } from "./filter.js"
import { bytes, count, moment } from "./format.js"
import { FrameViewer } from "./frame.js"
import { changes, countFrames, deleteFrames, MOST_FRAMES, pinFrames, queryFrames, tagFrames } from "./frames.js"
import { Grid } from "./grid.js"
import { Timeline } from "./timeline.js"

const PAGE_SIZE = 120
const REFRESH_MS = 1500
const COUNT_MS = 10000
const DRAW_MS = 200
const NEAR = "600px"
const FAR_FUTURE = Date.UTC(2200, 0)
let page
let root
let query
let where = ""
let cursor
let latest = 0
let total = null
let isShown = false
let isDue = false
let wasOpened = false
let returning
let timer
let countTimer
let drawTimer

const filter = new Filter(choose)
const calendar = new Calendar(day => choose({ day: query.get("day") === day ? "" : day, from: "", to: "" }),
  times => countFrames(conditionsOf(query), times))
const timeline = new Timeline(
  span => choose(span ? { day: "", from: isoTime(span.from), to: isoTime(span.to) } : { day: dayText(timeline.from), from: "", to: "" }),
  direction => choose({ day: dayText(midnight(timeline.from, direction)), from: "", to: "" }))
const grid = new Grid(frame => {
  wasOpened = true
  opening = { record: frame }
  page.go(address(frame.id))
}, showTools, () => deleteFrames([...grid.selected.values()], outcome))
const viewer = new FrameViewer(id => history.replaceState(null, "", address(id)), leave)
let opening = {}

const summary = make("p", { role: "status" })
const tools = make("div", { class: "buttons" })
const outcome = make("div", { role: "alert" })
const failure = make("div", { role: "alert", class: "reasons" })
const empty = make("div", { class: "empty", hidden: true })
const news = button("", () => refresh(true), { class: "primary", hidden: true })
const older = button("Older frames", loadOlder, { class: "older", hidden: true })
const spools = make("section", { class: "spools", "aria-label": "Spools" })
const side = make("div", { class: "side", id: "side" }, calendar.element, spools)
const unfold = button("Calendar", () => {
  root.classList.toggle("unfolded")
  unfold.ariaExpanded = String(root.classList.contains("unfolded"))
}, { class: "unfold", "aria-expanded": "false", "aria-controls": "side" })
unfold.prepend(icon("calendar"))

const address = id => `#spool${id ? `/${id}` : ""}${query.size ? `?${query}` : ""}`

/** Changes parts of the filter in the address. */
function choose(parts) {
  const next = new URLSearchParams(query)
  for (const [name, value] of Object.entries(parts)) value ? next.set(name, value) : next.delete(name)
  page.go(`#spool${next.size ? `?${next}` : ""}`)
}

function leave(id) {
  if (wasOpened) history.back()
  else page.go(address(), true)
  wasOpened = false
  returning = id
}

/** Shows the frames of the address, from the first page on. */
async function apply() {
  where = filterOf(query)
  filter.show(query)
  timeline.camera = query.get("camera")
  grid.setSelected([])
  total = null
  if (scrollY > root.offsetTop) scrollTo(0, 0)
  await load()
}

function shownDay() {
  const { from, to } = spanOf(query)
  const newest = grid.frames[0]
  return [from, to && to - 1, newest && Date.parse(newest.capturedAt)].find(Number.isFinite) ?? Date.now()
}

/** Loads the first page. Of several loads at a time only the last is shown. */
async function load() {
  const own = latest += 1
  isDue = false
  setWaiting(0)
  if (!grid.frames.length) say(summary, "Loading…")
  grid.element.ariaBusy = "true"
  empty.hidden = older.hidden = true
  showDay()
  try {
    const reply = await queryFrames(where, { limit: PAGE_SIZE })
    if (own !== latest) return
    filter.fail(null)
    fill(failure)
    take(reply, reply.frames)
    showDay()
    loadCounts()
  } catch (problem) {
    if (own === latest) fail(problem)
  } finally {
    if (own === latest) grid.element.ariaBusy = "false"
  }
}

function fail(problem) {
  if (problem.code === "daemon-lost") {
    isDue = true
    if (!grid.frames.length) say(summary, "")
    return
  }
  grid.show([])
  cursor = undefined
  older.hidden = true
  const isFilter = problem.code === "invalid-request"
  filter.fail(isFilter ? problem : null)
  fill(failure, isFilter ? null : notice(problem))
  total = 0
  showTools()
  say(summary, "")
}

function take(reply, frames) {
  cursor = reply.next
  grid.show(frames)
  older.hidden = !cursor
  fill(failure, ...(reply.unavailable ?? []).map(name => notice({
    detail: `The spool ${name} does not answer. Its frames are missing here.`, remedy: "See its state beside the calendar.",
  }, "warn")))
  showEmpty()
  showTools()
}

function showEmpty() {
  empty.hidden = grid.frames.length > 0 || Boolean(cursor)
  if (empty.hidden) return
  const { from, to } = spanOf(query)
  const isTimed = from !== null || to !== null
  const clear = names => () => choose(Object.fromEntries(names.map(name => [name, ""])))
  fill(empty, ...!query.size
    ? [make("h2", {}, "No frame is stored yet"), make("p", {}, "Take a still in Live, or let the daemon publish on a schedule.")]
    : [make("h2", {}, conditionsOf(query) ? "No frame matches this filter" : "No frame of this time"),
      make("p", {}, isTimed ? "The calendar shows the days that have frames." : "Change the filter, or show all frames.")])
  empty.append(query.size ? make("p", { class: "buttons" }, isTimed && button("Any time", clear(["day", "from", "to"])),
    button("All frames", clear(["camera", "tag", "pinned", "day", "from", "to", "where"])))
    : make("a", { class: "button", href: "#live" }, "Go to Live"))
}

/** Loads the next page; pages without a frame are passed over. */
async function loadOlder() {
  if (older.ariaBusy === "true" || !cursor || connection.isLost) return
  const own = latest
  older.ariaBusy = "true"
  say(older, "Searching older frames…")
  try {
    let reply
    do {
      reply = await queryFrames(where, { limit: PAGE_SIZE, cursor })
      if (own !== latest) return
      cursor = reply.next
    } while (cursor && !reply.frames.length)
    const known = new Set(grid.frames.map(frame => frame.id))
    take(reply, [...grid.frames, ...reply.frames.filter(frame => !known.has(frame.id))])
  } catch (problem) {
    if (own === latest && problem.code !== "daemon-lost") fill(failure, notice(problem))
  } finally {
    older.ariaBusy = "false"
    say(older, "Older frames")
    // A button that is still near is not reported again.
    watcher.unobserve(older)
    watcher.observe(older)
  }
}

const watcher = new IntersectionObserver(entries => { if (entries.at(-1).isIntersecting) loadOlder() }, { rootMargin: NEAR })

/** Brings the newest frames in, at the top: at once where that moves nothing that the user reads, else by a button. */
async function refresh(isWanted) {
  timer = undefined
  if (!isShown || document.hidden) {
    isDue = true
    return
  }
  if (!grid.frames.length) return load()
  const own = latest
  try {
    const reply = await queryFrames(where, { limit: PAGE_SIZE })
    if (own !== latest) return
    const last = reply.frames.at(-1)?.id
    const known = new Set(grid.frames.map(frame => frame.id))
    const kept = grid.frames.filter(frame => reply.next && !(frame.id >= last))
    const fresh = reply.frames.filter(frame => !known.has(frame.id))
    const isGap = reply.next && fresh.length === reply.frames.length
    const isReading = grid.selected.size || grid.element.matches(":hover, :focus-within") || root.getBoundingClientRect().top < 0
    if (isWanted && isGap) return load()
    if (isReading && !isWanted) {
      setWaiting(fresh.length, isGap)
      grid.show([...reply.frames.filter(frame => known.has(frame.id)), ...isGap ? grid.frames : kept])
    } else {
      setWaiting(0)
      take({ ...reply, next: kept.length ? cursor : reply.next }, [...reply.frames, ...kept])
      if (isWanted) {
        scrollTo(0, 0)
        grid.focus(grid.frames[0]?.id)
      }
    }
    countTimer ??= setTimeout(loadCounts, COUNT_MS)
  } catch (problem) {
    if (own === latest && problem.code !== "daemon-lost") fill(failure, notice(problem))
  }
}

function draw() {
  drawTimer = undefined
  if (isShown && timeline.from) timeline.draw()
}

function setWaiting(number, isMore) {
  news.hidden = !number
  say(news, isMore ? `More than ${count(number, "new frame")}` : count(number, "new frame"))
}

function showDay() {
  const day = shownDay()
  if (timeline.from !== midnight(day) || !calendar.times) calendar.show(day, spanOf(query))
  timeline.show(day, spanOf(query))
}

/** Asks for the numbers of the day, of all frames that match, and of the spools. */
async function loadCounts() {
  clearTimeout(countTimer)
  countTimer = undefined
  const own = latest
  const { from, to } = spanOf(query)
  calendar.refresh()
  loadSpools()
  try {
    const [bars, [all]] = await Promise.all([
      countFrames(conditionsOf(query), timeline.times), countFrames(where, [from ?? 0, to ?? FAR_FUTURE])])
    if (own !== latest) return
    timeline.setCounts(bars)
    total = all
    showTools()
  } catch (problem) {
    if (own === latest && problem.code !== "daemon-lost") fill(failure, notice(problem, "warn"))
  }
}

async function loadSpools() {
  try {
    const { spools: all } = await askIfAllowed("v1/spool")
    fill(spools, make("h2", {}, all.length === 1 ? "Spool" : "Spools"), ...all.flatMap(({ spool, folder, state, limit, room, statistics }) => [
      make("h3", {}, spool, " ", make("span", { class: `badge ${{ available: "ok", full: "warn" }[state.name] ?? "bad"}` }, state.name)),
      statistics && make("p", {}, `${count(statistics.total.frames, "frame")}, ${bytes(statistics.total.bytes)}`),
      room && make("meter", { min: 0, max: room.totalBytes, value: room.totalBytes - room.freeBytes, "aria-label": "Used room",
        low: room.totalBytes * 0.8, high: room.totalBytes * 0.95, optimum: 0 }),
      room && make("p", { class: "note" }, `${bytes(room.freeBytes)} free of ${bytes(room.totalBytes)}`),
      make("p", { class: "note" }, make("code", {}, folder)),
      limit && make("p", { class: "note" }, limit.sentence),
      state.reason && notice({ ...state.reason, retryAfterMs: undefined }, "bad"),
      state.nextAttempt && make("p", { class: "note" }, `The next attempt is at ${moment(state.nextAttempt)}.`)]).filter(Boolean))
  } catch (problem) {
    if (problem.code === "daemon-lost") return
    fill(spools, problem.code === "access-denied"
      ? make("p", { class: "note" }, `The numbers of the spool are not shown. ${problem.detail} ${problem.remedy}`) : notice(problem, "warn"))
  }
}

/** The line above the grid: what is shown, or what can be done with the selection. */
function showTools() {
  const chosen = [...grid.selected.values()]
  root?.classList.toggle("choosing", chosen.length > 0)
  const known = grid.frames.length
  const size = chosen.reduce((sum, frame) => sum + frame.bytes, 0)
  say(summary, chosen.length ? `${count(chosen.length, "frame")} selected, ${bytes(size)}`
    : total === null && known ? `${count(known, "frame")} loaded` : total ? count(total, "frame") : "")
  const can = role => chosen.some(frame => allows(role, frame.camera))
  const state = JSON.stringify([chosen.length > 0, can("control"), can("admin"), known > 0, chosen.some(frame => frame.pinned), chosen.every(frame => frame.pinned)])
  if (tools.dataset.state === state) return
  tools.dataset.state = state
  const role = !can("control") ? "control" : !can("admin") ? "admin" : null
  const items = chosen.length ? [
    can("control") && !chosen.every(frame => frame.pinned) && button("Pin", () => pinFrames(selection(), true, outcome)),
    can("control") && chosen.some(frame => frame.pinned) && button("Unpin", () => pinFrames(selection(), false, outcome)),
    can("control") && button("Tags…", () => tagFrames(selection(), outcome)),
    can("admin") && button("Delete…", () => deleteFrames(selection(), outcome), { class: "danger" }),
    button("Select all", selectAll), button("Clear selection", () => grid.setSelected([])),
    role && make("p", { class: "note" }, refusal(role, chosen[0].camera)),
  ] : known ? [button("Play", play), button("Select all", selectAll)] : []
  tools.replaceChildren(...items.filter(Boolean))
}

const selection = () => [...grid.selected.values()]

/** Selects all frames that match, also those that are not shown. */
async function selectAll() {
  const own = latest
  const all = [...grid.frames]
  let next = cursor
  try {
    while (next && all.length < MOST_FRAMES) {
      say(summary, `Selecting… ${count(all.length, "frame")}`)
      const reply = await queryFrames(where, { limit: Math.min(1000, MOST_FRAMES - all.length), cursor: next })
      if (own !== latest) return
      all.push(...reply.frames)
      next = reply.next
    }
    grid.setSelected(all)
    if (next) {
      fill(outcome, notice({ detail: `${count(MOST_FRAMES, "frame")} are selected, the most for one request.`,
        remedy: "Narrow the filter for the others." }, "warn"))
    }
  } catch (problem) {
    fill(outcome, notice(problem))
  }
}

/** Plays the frames that match, from the oldest on. */
async function play() {
  try {
    let reply = { next: undefined, frames: [] }
    do reply = await queryFrames(where, { order: "oldest", limit: 1, cursor: reply.next })
    while (!reply.frames.length && reply.next)
    const [record] = reply.frames
    if (!record) return
    wasOpened = true
    opening = { record, plays: true }
    page.go(address(record.id))
  } catch (problem) {
    fill(outcome, notice(problem))
  }
}

function drop(ids) {
  const left = grid.frames.filter(frame => !ids.has(frame.id))
  const gone = grid.frames.length - left.length
  if (!gone) return
  for (const id of ids) grid.selected.delete(id)
  grid.show(left)
  if (total !== null) total -= gone
  showEmpty()
  showTools()
  countTimer ??= setTimeout(loadCounts, REFRESH_MS)
}

changes.addEventListener("removed", ({ detail: { ids } }) => drop(ids))
changes.addEventListener("edited", ({ detail: { ids, apply: change } }) => {
  for (const [id, frame] of grid.selected) if (ids.has(id)) grid.selected.set(id, change(frame))
  grid.show(grid.frames.map(frame => ids.has(frame.id) ? change(frame) : frame))
  showTools()
})

export const view = {
  start(element, frame) {
    root = element
    page = frame
    const line = make("div", { class: "bar2" }, summary, news, tools)
    filter.element.firstChild.append(unfold)
    const main = make("div", { class: "stored" }, filter.element, timeline.element, line, outcome, failure, empty, grid.element, older)
    element.append(make("div", { class: "layout" }, side, main), viewer.element)
    watcher.observe(older)
  },

  show({ id, query: next }) {
    const isNew = !query || String(next) !== String(query)
    if (isNew) {
      query = next
      apply()
    }
    const wasShown = isShown
    isShown = true
    if (!isNew && (!wasShown || isDue)) refresh()
    root.firstChild.inert = Boolean(id)
    if (id) viewer.open(id, { ...opening, where, span: spanOf(query) })
    else if (viewer.isOpen) {
      viewer.close()
      grid.focus(returning)
    }
    opening = {}
  },

  hide() {
    isShown = false
    viewer.close()
  },

  status({ cameras }) {
    filter.setCameras((cameras ?? []).map(camera => camera.name))
    if (isShown && isDue) refresh()
  },

  event(event) {
    if (timeline.add(event)) drawTimer ??= setTimeout(draw, DRAW_MS)
    if (event.kind === "frame-stored") timer ??= setTimeout(refresh, REFRESH_MS)
    if (event.kind === "frames-removed") drop(new Set(event.frames))
    if (event.kind === "spool-low" && isShown) loadSpools()
  },

  found() {
    grid.retry()
    if (isShown) refresh()
  },
}
