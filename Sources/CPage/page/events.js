// SPDX-License-Identifier: Apache-2.0
// The events view: health, jobs, hooks, and what has happened.
import { button, count, duration, fill, find, go, make, moment, placeEach, say, setOptions, timeOf } from "./dom.js"
import { compact, entriesOf, KINDS } from "./episodes.js"
import { loadHooks, loadJobs, showHealth } from "./side.js"

// As many as the daemon keeps.
const MOST = 8192
const [ROWS, THUMBNAILS] = [100, 12]
const [DRAW_MS, LISTS_MS] = [250, 10000]
const byFrame = new Map()
let timer
let events = []
let paused = null
let [arrived, most, listsAt] = [0, ROWS, 0]
let [isShown, isLost] = [false, false]
let status = { cameras: null, health: null, problems: {} }

export const view = {
  start(element) {
    element.append(
      make("div", { class: "side" },
        make("h2", {}, "Health"), make("div", { class: "reasons", id: "health" }),
        make("h2", {}, "Jobs"), make("div", { id: "jobs" },
          make("div", { class: "reasons" }, make("p", { class: "note" }, "Loading…")), make("div")),
        make("h2", {}, "Hooks"), make("div", { id: "hooks" }, make("p", { class: "note" }, "Loading…"))),
      make("div", { class: "happened" },
        make("div", { class: "head" }, make("h2", { id: "events-title" }, "Events"),
          choice("event-camera", "Camera"), choice("event-kind", "Kind"),
          button("Pause", togglePause, { id: "pause-events", "aria-pressed": "false" })),
        make("p", { class: "note", id: "events-note", role: "status" }),
        make("ol", { class: "entries", id: "event-list", "aria-labelledby": "events-title" }),
        button("Show older events", () => { most += ROWS; draw() }, { id: "older-events", hidden: true })))
    setOptions(find("event-kind"), [...new Set(Object.values(KINDS).map(kind => kind.group))])
  },

  show({ query }) {
    isShown = true
    most = ROWS
    for (const name of ["camera", "kind"]) {
      const value = query.get(name) ?? ""
      const select = find(`event-${name}`)
      if (![...select.options].some(option => option.value === value)) select.append(make("option", { value }, value))
      select.value = value
    }
    this.status(status)
    draw()
  },

  hide() { isShown = false },

  status(now) {
    status = now
    if (!isShown) return
    if (!isLost) showHealth(find("health"), status)
    setOptions(find("event-camera"), (status.cameras ?? []).map(camera => camera.name))
    timer ? draw() : showNote()
    if (isLost || Date.now() - listsAt < LISTS_MS) return
    listsAt = Date.now()
    loadHooks(find("hooks"))
    loadJobs(find("jobs"))
  },

  event(event) {
    // Nothing is missing before the first event.
    if (event.kind === "gap" && !events.length) return
    const one = compact(event)
    events.push(one)
    if (events.length > MOST) byFrame.delete(events.shift().frame)
    if (one.frame) byFrame.set(one.frame, one)
    for (const id of event.frames ?? []) Object.assign(byFrame.get(id) ?? {}, { isDeleted: true })
    if (paused) arrived += 1
    // Hooks may run for it, and jobs may upload its picture.
    listsAt = 0
    if (isShown) timer ??= setTimeout(draw, DRAW_MS)
  },

  lost() {
    isLost = true
    const unknown = "Not known: the daemon does not answer."
    fill(find("health"), make("p", { class: "bad" }, unknown))
    for (const one of document.querySelectorAll("#events .note")) if (one.textContent === "Loading…") say(one, unknown)
    showNote()
  },

  found() {
    isLost = false
    listsAt = 0
    // Pictures that did not come are requested again.
    find("event-list").replaceChildren()
    draw()
  },
}

function choice(id, text) {
  const change = () => {
    const chosen = ["camera", "kind"].map(name => [name, find(`event-${name}`).value]).filter(([, value]) => value)
    go(`#events${chosen.length ? `?${new URLSearchParams(chosen)}` : ""}`)
  }
  return make("label", {}, text, make("select", { id, change }, make("option", { value: "" }, "All")))
}

function togglePause() {
  paused = paused ? null : [...events]
  arrived = 0
  find("pause-events").ariaPressed = String(Boolean(paused))
  draw()
}

function draw() {
  clearTimeout(timer)
  timer = undefined
  if (!isShown) return
  const [camera, kind] = ["camera", "kind"].map(name => find(`event-${name}`).value)
  const all = paused ?? events
  const fitting = entriesOf(camera ? all.filter(event => event.camera === camera || event.kind === "gap") : all)
    .filter(entry => !kind || groupsOf(entry).includes(kind))
  const list = find("event-list")
  const focused = document.activeElement
  placeEach(list, fitting.slice(0, most), ({ first }) => `${first.kind} ${first.id}`, makeRow, updateRow)
  if (list.contains(focused)) focused.focus()
  list.hidden = !fitting.length
  find("older-events").hidden = fitting.length <= most
  showNote()
}

function showNote() {
  const problem = status.problems.events
  say(find("events-note"), isLost ? "The daemon does not answer. Events go on when it does."
    : problem ? `No new events come. ${problem.detail} ${problem.remedy ?? ""}`
    : paused ? `Paused. ${count(arrived, "event")} came since.`
    : !events.length && problem === undefined ? "Loading…"
    : !events.length ? "No event yet. The daemon keeps the events since its start."
    : find("event-list").childElementCount ? "" : "No event fits this choice. Choose “All” to see the others.")
}

const groupsOf = entry => [KINDS[entry.first.kind].group, ...(entry.frames.length ? ["Pictures"] : [])]

const makeRow = ({ first: { kind, camera = "" } }) => make("li", {
  "data-kind": kind, "data-camera": camera, class: KINDS[kind].isBad ? "bad" : "",
}, make("div", { class: "entry" }), make("ul", { class: "pictures" }))

/** Shows an entry that may have grown. Its links stay the same elements, for they may have the focus. */
function updateRow(element, entry) {
  const { first, last } = entry
  const [head, pictures] = element.children
  const end = last === first ? null : make("span", {}, "to ", timeOf(last.at))
  fill(head, make("div", { class: "when" }, timeOf(first.since ?? first.at), end && " ", end),
    make("strong", {}, KINDS[first.kind].text),
    make("p", {}, sentence(entry), make("span", { class: "note" }, ` ${span(entry)}`)))
  const frames = entry.frames.filter(frame => !frame.isDeleted).slice(-THUMBNAILS).reverse()
  placeEach(pictures, frames, frame => frame.frame, thumbnail)
  pictures.hidden = !frames.length
}

function thumbnail({ frame, camera, at }) {
  const name = `${camera}, ${moment(at)}`
  const image = make("img", {
    src: `v1/frames/${frame}/thumbnail?width=160`, alt: name, title: name, loading: "lazy", width: 96, height: 54,
    error: event => event.target.replaceWith(make("span", {}, `No picture: ${name}`)),
  })
  return make("li", {}, make("a", { href: `#spool/${frame}` }, image))
}

function sentence({ first, last, frames, removed }) {
  const { kind, camera, detail } = first
  const cameras = new Set(frames.map(one => one.camera))
  if (kind === "frame-stored") return `${count(frames.length, "picture")} of ${[...cameras].join(", ")}.`
  if (kind === "frames-removed") return `${count(removed, "picture")} of ${camera} deleted from the spool.`
  if (kind === "motion-began") return `Something moves before ${camera}. ${share(last.share ?? first.share)}`
  return ["camera-state", "controls-changed", "slots-missed"].includes(kind) ? last.detail : detail
}

const share = percent => percent == null ? "" : `Up to ${Number(percent.toFixed(1))} % of the picture.`

/** How long an entry has lasted, how often it came, and what has become of its pictures. */
function span({ first, ended, goesOn, count: times, frames }) {
  const deleted = frames.filter(frame => frame.isDeleted).length
  return [
    goesOn && "Ongoing.",
    ended && `For ${duration(new Date(ended.at) - new Date(first.since ?? first.at))}.`,
    !goesOn && !ended && !frames.length && times > 1 && `${times} times.`,
    deleted > 0 && `${deleted} deleted since.`,
    frames.length - deleted > THUMBNAILS && `The newest ${THUMBNAILS} are shown.`,
  ].filter(Boolean).join(" ")
}
