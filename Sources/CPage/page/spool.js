// SPDX-License-Identifier: Apache-2.0
// The view of stored frames: filter, calendar, timeline, thumbnails, and what can be done with many of them.
import { allows, askIfAllowed, refusal } from "./access.js"
import { connection, notice } from "./api.js"
import { Calendar } from "./calendar.js"
import { button, fill, icon, make, say } from "./dom.js"
import { conditionsOf, dayText, Filter, filterOf, isoTime, midnight, spanOf } from "./filter.js"
import { bytes, count, moment } from "./format.js"
import { FrameViewer } from "./frame.js"
import { changes, countFrames, deleteFrames, frameAt, MOST_FRAMES, pinFrames, queryFrames, tagFrames } from "./frames.js"
import { Grid } from "./grid.js"
import { Timeline } from "./timeline.js"

const PAGE_SIZE = 120
const MOST_PER_PAGE = 1000
const SOON_MS = 1500
const COUNT_MS = 10000
const NEAR = "600px"
const FAR_FUTURE = Date.UTC(2200, 0)
const NO_TIME = { day: "", from: "", to: "" }
const NO_FILTER = { ...NO_TIME, camera: "", tag: "", pinned: "", where: "" }
let page
let root
let query
let where
let cursor
let total = null
// Of several loads at a time only the last is shown.
let latest = 0
let isShown = false
// The list is to be loaded again once the view is shown or the daemon answers.
let isDue = false
// How the viewer is opened and left.
let opening = {}
let wasOpened = false
let returning
const timers = {}
const removed = new Set()

const filter = new Filter(choose)
const calendar = new Calendar(day => choose({ ...NO_TIME, day: query.get("day") === day ? "" : day }),
  times => countFrames(conditionsOf(query), times))
const timeline = new Timeline(
  ({ from, to }, isDay) => choose(isDay ? { ...NO_TIME, day: dayText(from) } : { day: "", from: isoTime(from), to: isoTime(to) }))
const grid = new Grid(frame => view.openFrame(frame), () => {
  outcome.replaceChildren()
  showTools()
}, () => deleteFrames(selection(), outcome))
const viewer = new FrameViewer(id => history.replaceState(null, "", address(id)), leave)

const summary = make("p", { role: "status" })
const tools = make("div", { class: "buttons" })
const news = button("", () => refresh(true), { class: "primary", hidden: true })
const outcome = make("div", { class: "wide", role: "alert" })
const line = make("div", { class: "toolbar" }, summary, news, tools, outcome)
const failure = make("div", { role: "alert", class: "reasons" })
const empty = make("div", { class: "empty", hidden: true })
const older = button("", loadOlder, { class: "older", hidden: true })
const spools = make("section", { class: "spools", "aria-label": "Spools" })
const unfold = make("button", { type: "button", class: "unfold", "aria-expanded": "false", "aria-controls": "side", click: () => {
  unfold.ariaExpanded = String(root.classList.toggle("unfolded"))
} }, icon("calendar"), "Calendar")
const watcher = new IntersectionObserver(entries => { if (entries.at(-1).isIntersecting) loadOlder() }, { rootMargin: NEAR })

const address = (id, parameters = query) => `#spool${id ? `/${id}` : ""}${parameters.size ? `?${parameters}` : ""}`
const selection = () => [...grid.selected.values()]

/** Calls a function once, some time after the first of several calls. */
const later = (name, ms, call) => {
  timers[name] ??= setTimeout(() => {
    timers[name] = undefined
    call()
  }, ms)
}

/** Changes parts of the filter in the address. */
function choose(parts) {
  const next = new URLSearchParams(query)
  for (const [name, value] of Object.entries(parts)) value ? next.set(name, value) : next.delete(name)
  page.go(address(null, next))
}

/** Loads the first page of the frames of the address. */
async function load() {
  const own = latest += 1
  isDue = false
  showNews(0)
  if (!grid.frames.length && !failure.childElementCount) {
    line.hidden = false
    say(summary, "Loading…")
  }
  grid.element.ariaBusy = "true"
  showDay()
  try {
    const reply = await queryFrames(where, { limit: PAGE_SIZE })
    if (own !== latest) return
    filter.fail(null)
    take(reply, reply.frames)
    showDay()
    loadCounts()
  } catch (problem) {
    if (own === latest) fail(problem)
  } finally {
    if (own === latest) grid.element.ariaBusy = "false"
  }
}

/** Shows why there are no frames; those that were shown stay while the daemon does not answer. */
function fail(problem) {
  const isLost = problem.code === "daemon-lost"
  const isWrong = problem.code === "invalid-request"
  isDue = !isWrong && problem.code !== "access-denied"
  if (isLost && grid.frames.length) return
  cursor = undefined
  total = null
  grid.show([])
  filter.fail(isWrong ? problem : null)
  fill(failure, !isWrong && !isLost && notice({ ...problem, retryAfterMs: isDue ? undefined : problem.retryAfterMs }))
  older.hidden = empty.hidden = true
  showTools()
  timeline.setCounts([])
  calendar.refresh()
  loadSpools()
}

/** Shows these frames, of which the last ones are of this reply. */
function take(reply, frames) {
  cursor = reply.next
  older.hidden = !cursor
  say(older, "Older frames")
  fill(failure, ...(reply.unavailable ?? []).map(name => notice({
    detail: `The spool ${name} does not answer. Its frames are missing here.`, remedy: "Its state is below the calendar.",
  }, "warn")))
  grid.show(frames)
  showEmpty()
  showTools()
}

function showEmpty() {
  empty.hidden = grid.frames.length > 0 || Boolean(cursor)
  const isTimed = Object.keys(NO_TIME).some(name => query.has(name))
  fill(empty, ...query.size ? [
    make("h2", {}, conditionsOf(query) ? "No frame matches this filter" : "No frame is of this time"),
    make("p", {}, isTimed ? "The calendar shows the days that have frames." : "Change the filter, or show all frames."),
    make("p", { class: "buttons" }, isTimed && button("Any time", () => choose(NO_TIME)), button("All frames", () => choose(NO_FILTER))),
  ] : [
    make("h2", {}, "No frame is stored yet"), make("p", {}, "Take a still in Live, or let the daemon publish on a schedule."),
    make("a", { class: "button", href: "#live" }, "Go to Live"),
  ])
}

/** Loads the next page. */
async function loadOlder() {
  if (older.ariaBusy === "true" || !cursor || connection.isLost) return
  const own = latest
  older.ariaBusy = "true"
  say(older, "Searching older frames…")
  try {
    const reply = await queryFrames(where, { limit: PAGE_SIZE, cursor })
    if (own === latest) take(reply, [...grid.frames, ...reply.frames])
  } catch (problem) {
    if (own === latest && problem.code !== "daemon-lost") fill(failure, notice(problem))
  } finally {
    older.ariaBusy = "false"
    // A button that is still near is reported only anew.
    watcher.unobserve(older)
    watcher.observe(older)
  }
}

/** Brings the newest frames in at the top: at once where that moves nothing that the user reads, else by a button. */
async function refresh(isWanted = false) {
  if (!isShown || document.hidden) {
    isDue = true
    return
  }
  if (!grid.frames.length) return load()
  const own = latest
  isDue = false
  try {
    const reply = await queryFrames(where, { limit: PAGE_SIZE })
    if (own !== latest) return
    const known = new Set(grid.frames.map(frame => frame.id))
    const fresh = reply.frames.filter(frame => !known.has(frame.id))
    // More may be between the new ones and those that are shown.
    const isGap = reply.next && fresh.length === reply.frames.length
    const isReading = grid.selected.size || grid.element.matches(":hover, :focus-within") || root.getBoundingClientRect().top < 0
    const waits = isReading && !isWanted
    showNews(waits ? fresh.length : 0, isGap)
    if (!waits && isGap) return load()
    if (!waits) grid.show([...fresh, ...grid.frames].sort((a, b) => a.id < b.id ? 1 : -1))
    if (total !== null && !waits) total += fresh.length
    showDay()
    showTools()
    if (isWanted) {
      scrollTo(0, 0)
      grid.focus(grid.frames[0].id)
    }
    later("count", COUNT_MS, loadCounts)
  } catch (problem) {
    if (own === latest) fail(problem)
  }
}

function showNews(number, isMore) {
  news.hidden = !number
  say(news, `${isMore ? "More than " : ""}${count(number, "new frame")}`)
}

/** Shows the day of the filter, else that of the newest frame. */
function showDay() {
  const span = spanOf(query)
  const newest = grid.frames[0] && Date.parse(grid.frames[0].capturedAt)
  const day = [span.from, span.to && span.to - 1, newest].find(time => time && !Number.isNaN(time)) ?? Date.now()
  // The user may have turned the calendar to another month meanwhile.
  const key = `${dayText(day)} ${query}`
  if (calendar.key !== key) calendar.show(day, span)
  calendar.key = key
  timeline.show(day, span)
}

/** Asks for the numbers of the days, of the shown day, of all frames that match, and of the spools. */
async function loadCounts() {
  if (!isShown) return
  const own = latest
  const { from, to } = spanOf(query)
  calendar.refresh()
  loadSpools()
  try {
    const [columns, [all]] = await Promise.all(
      [countFrames(conditionsOf(query), timeline.times), countFrames(where, [from ?? 0, to ?? FAR_FUTURE])])
    if (own !== latest) return
    timeline.setCounts(columns)
    total = all
    showTools()
  } catch (problem) {
    if (own === latest && problem.code !== "daemon-lost") fill(failure, notice(problem, "warn"))
  }
}

async function loadSpools() {
  try {
    const { spools: all } = await askIfAllowed("v1/spool")
    fill(spools, make("h2", {}, all.length === 1 ? "Spool" : "Spools"), ...all.map(spoolPart))
  } catch (problem) {
    const text = `The numbers of the spool are not shown. ${problem.detail} ${problem.remedy}`
    if (problem.code === "access-denied") fill(spools, make("p", { class: "note" }, text))
    else if (problem.code !== "daemon-lost") fill(spools, notice(problem, "warn"))
  }
}

function spoolPart({ spool, folder, state, limit, room, statistics }) {
  const note = (...content) => make("p", { class: "note" }, ...content)
  const kind = { available: "ok", full: "warn" }[state.name] ?? "bad"
  return make("div", {}, make("h3", {}, spool, make("span", { class: `badge ${kind}` }, state.name)),
    state.reason && notice({ ...state.reason, retryAfterMs: undefined }, kind),
    state.nextAttempt && note(`The next attempt is at ${moment(state.nextAttempt)}.`),
    statistics && make("p", {}, `${count(statistics.total.frames, "frame")}, ${bytes(statistics.total.bytes)}`),
    room && make("meter", { max: room.totalBytes, value: room.totalBytes - room.freeBytes, optimum: 0, "aria-label": "Used room",
      low: 0.8 * room.totalBytes, high: 0.95 * room.totalBytes }),
    room && note(`${bytes(room.freeBytes)} free of ${bytes(room.totalBytes)}`),
    note(make("code", {}, folder)), limit && note(limit.sentence))
}

/** The line above the grid: what is shown, or what can be done with the selection. */
function showTools() {
  const chosen = selection()
  const can = role => chosen.some(frame => allows(role, frame.camera))
  const number = grid.frames.length
  const size = bytes(chosen.reduce((sum, frame) => sum + frame.bytes, 0))
  say(summary, chosen.length ? `${count(chosen.length, "frame")} selected, ${size}` : !number ? ""
    : total === null ? `${count(number, "frame")} loaded` : count(total, "frame"))
  line.hidden = !summary.textContent && !outcome.childElementCount
  const [somePinned, allPinned] = [chosen.some(frame => frame.pinned), chosen.every(frame => frame.pinned)]
  const state = [number > 0, chosen.length > 0, can("control"), can("admin"), somePinned, allPinned].join()
  if (tools.dataset.state === state) return
  tools.dataset.state = state
  const refused = ["control", "admin"].find(role => !can(role))
  const items = chosen.length ? [
    refused && make("p", { class: "note" }, refusal(refused, chosen[0].camera)),
    can("control") && !allPinned && button("Pin", () => pinFrames(selection(), true, outcome)),
    can("control") && somePinned && button("Unpin", () => pinFrames(selection(), false, outcome)),
    can("control") && button("Tags…", () => tagFrames(selection(), outcome)),
    can("admin") && button("Delete…", () => deleteFrames(selection(), outcome), { class: "danger" }),
    button("Select all", selectAll), button("Clear", () => grid.select([]), { "aria-label": "Clear the selection" }),
  ] : number ? [button("Play", play), button("Select all", selectAll)] : []
  tools.replaceChildren(...items.filter(Boolean))
}

/** Selects all frames that match, also those that are not shown. */
async function selectAll() {
  const own = latest
  const all = [...grid.frames]
  let next = cursor
  try {
    while (next && all.length < MOST_FRAMES) {
      say(summary, `Selecting… ${count(all.length, "frame")}`)
      const reply = await queryFrames(where, { limit: Math.min(MOST_PER_PAGE, MOST_FRAMES - all.length), cursor: next })
      if (own !== latest) return
      all.push(...reply.frames)
      next = reply.next
    }
    grid.select(all)
    const detail = `${count(MOST_FRAMES, "frame")} are selected, the most for one request.`
    fill(outcome, next && notice({ detail, remedy: "Narrow the filter for the others." }, "warn"))
  } catch (problem) {
    fill(outcome, notice(problem))
    showTools()
  }
}

/** Plays the frames that match, from the oldest on. */
async function play() {
  try {
    const frame = await frameAt(where, 0)
    if (frame) view.openFrame(frame, true)
  } catch (problem) {
    fill(outcome, notice(problem))
  }
}

/** Leaves the viewer for what was shown before it. */
function leave(id) {
  returning = id
  if (wasOpened) history.back()
  else page.go(address(), true)
  wasOpened = false
}

/** Drops frames that do not exist any more. */
function dropRemoved() {
  const gone = grid.drop(removed)
  removed.clear()
  if (!gone) return
  if (total !== null) total -= gone
  if (!grid.frames.length && cursor) loadOlder()
  showEmpty()
  showTools()
  later("count", SOON_MS, loadCounts)
}

changes.addEventListener("removed", ({ detail: { ids } }) => {
  for (const id of ids) removed.add(id)
  dropRemoved()
})
changes.addEventListener("edited", ({ detail: { ids, change } }) => {
  grid.edit(ids, change)
  showTools()
})

export const view = {
  start(element, frame) {
    root = element
    page = frame
    filter.element.firstChild.append(unfold)
    root.append(make("div", { class: "layout" }, filter.element, make("div", { class: "side", id: "side" }, calendar.element, spools),
      make("div", { class: "stored" }, timeline.element, line, failure, empty, grid.element, older)), viewer.element)
    watcher.observe(older)
  },

  show({ id, query: next }) {
    const isChanged = String(next) !== String(query)
    const isBack = !isShown || isDue
    isShown = true
    if (isChanged) {
      query = next
      where = filterOf(query)
      total = null
      filter.show(query)
      timeline.camera = query.get("camera")
      grid.select([])
      if (scrollY > root.offsetTop) scrollTo(0, 0)
      load()
    } else if (isBack) refresh()
    root.firstChild.inert = Boolean(id)
    if (id) viewer.open(id, { ...opening, where, span: spanOf(query) })
    else if (viewer.isOpen) {
      viewer.close()
      grid.focus(returning)
    }
    opening = {}
  },

  /** Opens a frame of which the record is known. */
  openFrame(record, plays = false) {
    opening = { record, plays }
    wasOpened = true
    page.go(address(record.id))
  },

  hide() {
    isShown = false
    viewer.close()
  },

  status({ cameras }) {
    filter.setCameras((cameras ?? []).map(camera => camera.name))
    if (isDue) refresh()
  },

  event(event) {
    if (timeline.add(event)) later("draw", SOON_MS, () => isShown && timeline.draw())
    if (event.kind === "frame-stored") later("refresh", SOON_MS, refresh)
    if (event.kind === "frames-removed") {
      for (const id of event.frames) removed.add(id)
      later("drop", SOON_MS, dropRemoved)
    }
    if (event.kind === "spool-low" && isShown) later("spools", SOON_MS, loadSpools)
  },

  found() {
    grid.retry()
    viewer.retry()
    if (isShown) refresh()
  },
}
