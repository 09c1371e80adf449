// SPDX-License-Identifier: Apache-2.0
// The view of stored frames: filter, calendar, timeline, thumbnails, and what can be done with many of them.
import { allows, ask, connection, notice, refusal } from "./api.js"
import { button, bytes, count, fill, go, icon, make, moment, say } from "./dom.js"
import { conditionsOf, dayText, Filter, filterOf, isoTime, NO_FILTER, NO_TIME, spanOf } from "./filter.js"
import { FrameViewer } from "./frame.js"
import { changes, countFrames, deleteFrames, MOST_FRAMES, pinFrames, queryFrames, tagFrames } from "./frames.js"
import { Grid } from "./grid.js"
import { Calendar, Timeline } from "./times.js"

const [PAGE_SIZE, MOST_PER_PAGE] = [120, 1000]
const [SOON_MS, COUNT_MS] = [1500, 10000]
const FAR_FUTURE = Date.UTC(2200, 0)
let root, query, where, cursor, total
// Of several loads at a time only the last is shown.
let latest = 0
// The list is to be loaded again, if `isDue`, once the view is shown or the daemon answers.
let [isShown, isDue] = [false, false]
// How the viewer is opened and left.
let opening = {}
let wasOpened, returning
const timers = {}
const removed = new Set()

const selection = () => grid.frames.filter(frame => grid.selected.has(frame.id))
const address = (id, parameters = query) => `#spool${id ? `/${id}` : ""}${parameters.size ? `?${parameters}` : ""}`

const filter = new Filter(choose)
const calendar = new Calendar(day => choose({ ...NO_TIME, day: query.get("day") === day ? "" : day }),
  times => countFrames(conditionsOf(query), times))
const timeline = new Timeline(
  ({ from, to }, isDay) => choose({ ...NO_TIME, ...isDay ? { day: dayText(from) } : { from: isoTime(from), to: isoTime(to) } }))
const grid = new Grid(frame => openFrame(frame), () => {
  outcome.replaceChildren()
  showTools()
}, () => deleteFrames(selection(), outcome))
const viewer = new FrameViewer(id => history.replaceState(null, "", address(id)), leaveFrame)

const summary = make("p", { role: "status" })
const tools = make("div", { class: "buttons" })
const news = button("", () => refresh(true), { class: "primary", hidden: true })
const outcome = make("div", { class: "wide", role: "alert" })
const line = make("div", { class: "toolbar" }, summary, news, tools, outcome)
const failure = make("div", { role: "alert", class: "reasons" })
const empty = make("div", { class: "empty", hidden: true })
const older = button("", () => loadOlder(), { class: "older", hidden: true })
const watcher = new IntersectionObserver(entries => { if (entries.at(-1).isIntersecting) loadOlder() }, { rootMargin: "600px" })
const spools = make("section", { class: "spools", "aria-label": "Spools" })
const unfold = button("Calendar", () => { unfold.ariaExpanded = String(root.classList.toggle("unfolded")) },
  { class: "unfold", "aria-expanded": "false", "aria-controls": "side" })
unfold.prepend(icon("calendar"))

/** Calls a function once, some time after the first of several calls. */
function later(name, ms, call) {
  timers[name] ??= setTimeout(() => {
    timers[name] = undefined
    call()
  }, ms)
}

function choose(parts) {
  const all = { ...Object.fromEntries(query), ...parts }
  go(address(null, new URLSearchParams(Object.entries(all).filter(([, value]) => value))))
}

/** Calls `done` with the next page of frames, or `failed` with a problem, unless the filter has changed meanwhile. */
async function loadPage(options, done, failed = fail) {
  const own = latest
  try {
    const reply = await queryFrames(where, { limit: PAGE_SIZE, ...options })
    if (own === latest) done(reply)
    return own === latest
  } catch (problem) {
    if (own === latest) failed(problem)
    return false
  }
}

function load() {
  latest += 1
  isDue = false
  news.hidden = true
  line.hidden = false
  if (!grid.frames.length && !failure.childElementCount) say(summary, "Loading…")
  showDay()
  loadPage({}, reply => {
    filter.fail(null)
    take(reply, reply.frames)
    showDay()
    loadCounts()
  })
}

/** Shows why there are no frames; those that were shown stay while the daemon does not answer. */
function fail(problem) {
  const isLost = problem.code === "daemon-lost"
  const isWrong = problem.code === "invalid-request"
  isDue = !isWrong && problem.code !== "access-denied"
  if (isLost && grid.frames.length) return
  take({}, [])
  empty.hidden = true
  filter.fail(isWrong ? problem : null)
  fill(failure, !isWrong && !isLost && notice({ ...problem, retryAfterMs: undefined }))
  timeline.setCounts([])
  calendar.refresh()
  loadSpools()
}

/** Shows these frames; the last ones are of this reply. */
function take({ next, unavailable = [] }, frames) {
  cursor = next
  older.hidden = !cursor
  say(older, "Older frames")
  fill(failure, ...unavailable.map(name => notice({
    detail: `The spool ${name} does not answer. Its frames are missing here.`, remedy: "Its state is below the calendar.",
  }, "warn")))
  grid.show(frames)
  showEmpty()
  showTools()
}

function showEmpty() {
  empty.hidden = grid.frames.length > 0 || Boolean(cursor)
  const isTimed = Object.keys(NO_TIME).some(name => query.has(name))
  const kind = query.get("kind")
  const [title, text] = !query.size ? ["No frame is stored yet", "Take a still in Live, or let the daemon publish on a schedule."]
    : query.size === 1 && kind ? [`No ${kind} is stored yet`, `Make one by “tintype ${kind === "clip" ? "record" : "film"}”.`]
    : [conditionsOf(query) ? "No frame matches this filter" : "No frame is of this time",
      isTimed ? "The calendar shows the days that have frames." : "Change the filter, or show all frames."]
  fill(empty, make("h2", {}, title), make("p", {}, text), query.size
    ? make("p", { class: "buttons" }, isTimed && button("Any time", () => choose(NO_TIME)), button("All frames", () => choose(NO_FILTER)))
    : make("a", { class: "button", href: "#live" }, "Go to Live"))
}

/** Loads the next page; false if there is none, or if it does not come. */
async function loadOlder(limit = PAGE_SIZE) {
  if (older.ariaBusy === "true" || !cursor || connection.isLost) return false
  older.ariaBusy = "true"
  say(older, "Searching older frames…")
  const isThere = await loadPage({ limit, cursor }, reply => take(reply, [...grid.frames, ...reply.frames]),
    problem => problem.code !== "daemon-lost" && fill(failure, notice(problem)))
  older.ariaBusy = "false"
  // A button that is still near is reported only anew.
  watcher.unobserve(older)
  watcher.observe(older)
  return isThere
}

/** Brings the newest frames in at the top: at once where that moves nothing that the user reads, else by a button. */
function refresh(isWanted = false) {
  isDue = !isShown || document.hidden
  if (isDue) return
  if (!grid.frames.length) return load()
  loadPage({}, ({ frames, next }) => {
    const known = new Set(grid.frames.map(frame => frame.id))
    const fresh = frames.filter(frame => !known.has(frame.id))
    // More may be between the new ones and those that are shown.
    const isGap = next && fresh.length === frames.length
    const isReading = grid.selected.size || grid.element.matches(":hover, :focus-within") || root.getBoundingClientRect().top < 0
    const waits = isReading && !isWanted
    news.hidden = !waits || !fresh.length
    say(news, `${isGap ? "More than " : ""}${count(fresh.length, "new frame")}`)
    if (!waits && (isGap || grid.frames.length > MOST_PER_PAGE)) return load()
    if (!waits) grid.show([...fresh, ...grid.frames].sort((a, b) => a.id < b.id ? 1 : -1))
    showDay()
    showTools()
    later("count", COUNT_MS, loadCounts)
    if (!isWanted) return
    scrollTo(0, 0)
    grid.focus(grid.frames[0].id)
  })
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
      [countFrames(conditionsOf(query), timeline.times), countFrames(where, [from ?? 0, Math.max(to ?? FAR_FUTURE, (from ?? 0) + 1)])])
    if (own !== latest) return
    timeline.setCounts(columns)
    total = all
    showTools()
  } catch (problem) {
    if (own === latest && problem.code !== "daemon-lost") fill(failure, notice(problem, "warn"))
  }
}

function loadSpools() {
  const refused = "The numbers of the spool are not shown. The role “view” for all cameras is needed."
  if (!allows("view")) return fill(spools, make("p", { class: "note" }, refused))
  ask("GET", "v1/spool").then(({ spools: all }) =>
    fill(spools, make("h2", {}, all.length === 1 ? "Spool" : "Spools"), ...all.map(spoolPart)),
    problem => problem.code !== "daemon-lost" && fill(spools, notice(problem, "warn")))
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
  const number = grid.frames.length
  const can = role => chosen.some(frame => allows(role, frame.camera))
  const refused = ["control", "admin"].find(role => !can(role))
  const act = (action, ...values) => () => action(selection(), ...values, outcome)
  say(summary, chosen.length ? `${count(chosen.length, "frame")} selected, ${bytes(chosen.reduce((sum, frame) => sum + frame.bytes, 0))}`
    : !number ? "" : total === undefined ? `${count(number, "frame")} loaded` : count(total, "frame"))
  line.hidden = !summary.textContent && !outcome.childElementCount
  fill(tools, ...chosen.length ? [
    refused && make("p", { class: "note" }, refusal(refused, chosen[0].camera)),
    can("control") && chosen.some(frame => !frame.pinned) && button("Pin", act(pinFrames, true)),
    can("control") && chosen.some(frame => frame.pinned) && button("Unpin", act(pinFrames, false)),
    can("control") && button("Tags…", act(tagFrames)), can("admin") && button("Delete…", act(deleteFrames), { class: "danger" }),
    button("Select all", selectAll), button("Clear", () => grid.select([]), { "aria-label": "Clear the selection" }),
  ] : number ? [!query.get("kind") && button("Play", play), button("Select all", selectAll)] : [])
}

/** Selects all frames that match, as many as can be changed at a time; those that are not shown yet are loaded. */
async function selectAll() {
  while (grid.frames.length < MOST_FRAMES && await loadOlder(MOST_PER_PAGE)) say(summary, `Loading… ${count(grid.frames.length, "frame")}`)
  grid.select(grid.frames.slice(0, MOST_FRAMES))
}

/** Plays the frames that match, from the oldest on. */
const play = () => loadPage({ order: "oldest", limit: 1 }, ({ frames: [first] }) => first && openFrame(first, true),
  problem => fill(outcome, notice(problem)))

function openFrame(record, plays = false) {
  opening = { record, plays }
  wasOpened = true
  go(address(record.id))
}

/** Leaves the viewer for what was shown before it. */
function leaveFrame(id) {
  returning = id
  if (wasOpened) history.back()
  else go(address(), true)
  wasOpened = false
}

function dropRemoved() {
  const gone = grid.drop(removed)
  removed.clear()
  if (!gone) return
  if (total !== undefined) total -= gone
  if (!grid.frames.length) loadOlder()
  showEmpty()
  showTools()
  later("count", SOON_MS, loadCounts)
}

changes.addEventListener("removed", ({ detail: ids }) => {
  ids.forEach(id => removed.add(id))
  dropRemoved()
})
changes.addEventListener("edited", ({ detail: { ids, change } }) => {
  grid.show(grid.frames.map(frame => ids.has(frame.id) ? change(frame) : frame))
  showTools()
})

export const view = {
  start(element) {
    root = element
    filter.element.firstChild.append(unfold)
    root.append(make("div", { class: "layout" }, filter.element, make("div", { class: "side", id: "side" }, calendar.element, spools),
      make("div", { class: "stored" }, timeline.element, line, failure, empty, grid.element, older)), viewer.element)
    watcher.observe(older)
  },

  show({ id, query: next }) {
    const isBack = !isShown || isDue
    isShown = true
    if (String(next) !== String(query)) {
      query = next
      where = filterOf(query)
      total = undefined
      filter.show(query)
      timeline.camera = query.get("camera")
      grid.select([])
      if (scrollY > root.offsetTop) scrollTo(0, 0)
      load()
    } else if (isBack) refresh()
    root.firstChild.inert = Boolean(id)
    if (id) viewer.open(id, { ...opening, where })
    else if (!viewer.element.hidden) {
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
    filter.setCameras((cameras ?? []).map(camera => camera.name), query?.get("camera"))
    if (isDue) refresh()
  },

  event(event) {
    if (timeline.add(event)) later("draw", SOON_MS, () => isShown && timeline.draw())
    if (["frame-stored", "job-done"].includes(event.kind)) later("refresh", SOON_MS, refresh)
    if (event.kind === "spool-low" && isShown) later("spools", SOON_MS, loadSpools)
    if (event.kind !== "frames-removed") return
    for (const id of event.frames) removed.add(id)
    later("drop", SOON_MS, dropRemoved)
  },

  found() {
    grid.retry()
    viewer.retry()
    refresh()
  },
}
