// SPDX-License-Identifier: Apache-2.0
// The list of events.
import { problemAt } from "/page/api.js"
import { find, make, say, setOptions } from "/page/dom.js"
import { count, timeOf } from "/page/format.js"

const KINDS = [
  "camera-state", "camera-lost", "camera-back", "controls-changed", "configuration-changed", "frame-stored", "frames-removed",
  "slots-missed", "motion-began", "motion-ended", "alarm-began", "alarm-ended", "code-seen", "spool-low", "degraded",
  "healthy", "gap",
]
const BAD = ["camera-lost", "slots-missed", "alarm-began", "spool-low", "degraded", "gap"]
const MOST = 200
const RETRY_MS = 2000
let source
let tell
let hadSource = false
let isPaused = false
let held = []
let retry

/** Listens for events; `listener` gets each of them. */
export function openEvents(listener) {
  tell = listener
  closeEvents()
  connect()
}

function connect() {
  // A source asks for the events after its last one when it reconnects. A new source has no last event.
  const gap = "The connection was lost. Events may be missing here."
  if (hadSource) add({ kind: "gap", detail: gap, at: new Date().toISOString() })
  hadSource = true
  source = new EventSource("/v1/events")
  for (const kind of KINDS) {
    source.addEventListener(kind, message => {
      const event = JSON.parse(message.data)
      add(event)
      tell(event)
    })
  }
  source.onerror = event => {
    if (event.target.readyState === EventSource.CLOSED) reconnect()
  }
}

async function reconnect() {
  const failed = source
  const problem = await problemAt("/v1/events")
  if (source !== failed || problem?.code === "unauthenticated") return
  if (problem?.status) say(find("events-note"), `${problem.detail} ${problem.remedy ?? ""}`)
  retry = setTimeout(connect, RETRY_MS)
}

export function closeEvents() {
  clearTimeout(retry)
  source?.close()
  source = null
}

/** Forgets all, as after signing out. */
export function clearEvents() {
  closeEvents()
  hadSource = false
  held = []
  find("event-list").replaceChildren()
}

function add(event) {
  if (isPaused) held = [...held, event].slice(-MOST)
  else put([event])
  summarize()
}

function put(events) {
  const list = find("event-list")
  for (const event of events) list.prepend(entry(event))
  while (list.children.length > MOST) list.lastChild.remove()
}

function entry(event) {
  const lost = event.kind === "gap" && event.lost ? ` ${count(event.lost, "event")} missing.` : ""
  const kind = { class: BAD.includes(event.kind) ? "bad" : null, "data-kind": event.kind, "data-camera": event.camera ?? "" }
  const item = make("li", kind, timeOf(event.at), make("code", {}, event.kind), make("span", {}, event.detail + lost))
  item.hidden = !fits(item)
  return item
}

function fits({ dataset }) {
  const camera = find("event-camera").value
  const kind = find("event-kind").value
  return (!camera || dataset.camera === camera) && (!kind || dataset.kind === kind)
}

function summarize() {
  const entries = [...find("event-list").children]
  const shown = entries.filter(entry => !entry.hidden).length
  say(find("events-note"), isPaused ? `Paused. ${count(held.length, "event")} came since.`
    : !entries.length ? "No event since this page was opened."
    : shown ? "" : "None of the events that are kept here fits these choices.")
  find("event-list").hidden = !shown
}

export function offerEvents() {
  setOptions(find("event-kind"), KINDS)
  for (const id of ["event-camera", "event-kind"]) {
    find(id).onchange = () => {
      for (const entry of find("event-list").children) entry.hidden = !fits(entry)
      summarize()
    }
  }
  find("pause-events").onclick = () => {
    isPaused = !isPaused
    find("pause-events").ariaPressed = String(isPaused)
    if (!isPaused) put(held)
    held = []
    summarize()
  }
  summarize()
}
