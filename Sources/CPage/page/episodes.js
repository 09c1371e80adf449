// SPDX-License-Identifier: Apache-2.0
// Events as entries that a person reads: a beginning and its end are one entry, and so are repetitions.

const ENDS = { "camera-back": "camera-lost", "motion-ended": "motion-began", "alarm-ended": "alarm-began", healthy: "degraded" }
const BEGINNINGS = Object.values(ENDS)
const REPEATED = ["frame-stored", "frames-removed", "camera-state", "controls-changed", "slots-missed"]
const LONGEST_RUN_MS = 3600000

/** Each kind of event: its group in the choice of kinds, its name as text, and whether it is bad. */
export const KINDS = {
  "frame-stored": { group: "Pictures", text: "Picture stored" },
  "frames-removed": { group: "Pictures", text: "Pictures deleted" },
  "motion-began": { group: "Motion", text: "Motion" },
  "motion-ended": { group: "Motion", text: "End of motion" },
  "alarm-began": { group: "Alarms", text: "Alarm", isBad: true },
  "alarm-ended": { group: "Alarms", text: "End of an alarm" },
  "code-seen": { group: "Codes", text: "Code" },
  "camera-lost": { group: "Faults", text: "Camera lost", isBad: true },
  "camera-back": { group: "Faults", text: "Camera back" },
  degraded: { group: "Faults", text: "Fault", isBad: true },
  healthy: { group: "Faults", text: "End of faults" },
  "spool-low": { group: "Faults", text: "Spool nearly full", isBad: true },
  "slots-missed": { group: "Faults", text: "Pictures missed", isBad: true },
  gap: { group: "Faults", text: "Gap", isBad: true },
  "camera-state": { group: "States", text: "Camera state" },
  "controls-changed": { group: "Settings", text: "Controls changed" },
  "configuration-changed": { group: "Settings", text: "Configuration changed" },
}

/** What the list needs of an event. */
export function compact({ id, at, kind, detail, camera, frame, frames, alarm, since, share, schedule, lost }) {
  return { id, at, kind, detail, camera, frame, removed: frames?.length, alarm, since, share, schedule, lost }
}

/**
 * Entries, the newest first, each with its first and last event, their count, its frames, and whether it goes on. `events` are
 * the oldest first.
 *
 * Pictures during motion before their camera belong to the entry of the motion.
 */
export function entriesOf(events) {
  // In the order of their last events.
  const entries = new Set()
  const open = new Map()
  const runs = new Map()

  function extend(entry, event) {
    entries.delete(entry)
    entries.add(entry)
    entry.last = event
    entry.count += 1
    entry.removed += event.removed ?? 0
    if (event.frame) entry.frames.push(event)
    return entry
  }
  const begin = event => extend({ first: event, count: 0, removed: 0, frames: [], goesOn: false }, event)

  for (const event of events) {
    const { kind, camera, alarm } = event
    const opening = ENDS[kind] ?? (BEGINNINGS.includes(kind) ? kind : null)
    if (opening) {
      const key = `${opening} ${camera} ${alarm}`
      if (kind === "camera-lost") forgetState(runs.get(`camera-state ${camera}`), entries)
      const entry = open.get(key)
      open.delete(key)
      if (entry) Object.assign(entry, { goesOn: false, ended: event })
      if (kind === opening) open.set(key, Object.assign(begin(event), { goesOn: true }))
      else if (entry) extend(entry, event)
      else begin(event)
    } else if (REPEATED.includes(kind)) {
      const motion = event.frame && open.get(`motion-began ${camera} undefined`)
      const key = kind === "frame-stored" ? kind : `${kind} ${camera} ${event.schedule ?? ""}`.trim()
      const run = motion || runs.get(key)
      if (run && (motion || new Date(event.at) - new Date(run.first.at) < LONGEST_RUN_MS)) extend(run, event)
      else runs.set(key, begin(event))
      continue
    } else begin(event)
    // Ends and beginnings after a gap do not belong to those before.
    if (kind === "gap") for (const entry of open.values()) entry.goesOn = false
    if (kind === "gap") open.clear()
    runs.clear()
  }
  return [...entries].reverse()
}

/** The loss of a camera has the same reason as the state just before. */
function forgetState(run, entries) {
  if (run?.count === 1) entries.delete(run)
}
