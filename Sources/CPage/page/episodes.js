// SPDX-License-Identifier: Apache-2.0
// Events as entries that a person reads: a beginning and its end are one entry, and so are repetitions.

const ENDS = { "camera-back": "camera-lost", "motion-ended": "motion-began", "alarm-ended": "alarm-began", healthy: "degraded" }
const BEGINNINGS = Object.values(ENDS)
const REPEATED = ["frame-stored", "frames-removed", "camera-state", "controls-changed", "slots-missed"]
const LONGEST_RUN_MS = 3600000

/** Each kind of event: its group in the choice of kinds, its name as text, and whether it is bad. */
export const KINDS = {
  "frame-stored": { group: "Pictures", text: "Picture" },
  "frames-removed": { group: "Pictures", text: "Deletion" },
  "motion-began": { group: "Motion", text: "Motion" },
  "motion-ended": { group: "Motion", text: "End of motion" },
  "alarm-began": { group: "Alarms", text: "Alarm", isBad: true },
  "alarm-ended": { group: "Alarms", text: "End of an alarm" },
  "code-seen": { group: "Codes", text: "Code" },
  "camera-lost": { group: "Faults", text: "Camera lost", isBad: true },
  "camera-back": { group: "Faults", text: "Camera back" },
  degraded: { group: "Faults", text: "Fault", isBad: true },
  healthy: { group: "Faults", text: "End of faults" },
  "job-began": { group: "Jobs", text: "Job begun" },
  "job-done": { group: "Jobs", text: "Job done" },
  "job-failed": { group: "Jobs", text: "Job failed", isBad: true },
  "job-behind": { group: "Jobs", text: "Job behind", isBad: true },
  "pictures-lost": { group: "Jobs", text: "Not uploaded", isBad: true },
  "spool-low": { group: "Faults", text: "Spool low", isBad: true },
  "slots-missed": { group: "Faults", text: "Missed", isBad: true },
  gap: { group: "Faults", text: "Gap", isBad: true },
  "camera-state": { group: "States", text: "State" },
  "controls-changed": { group: "Settings", text: "Controls" },
  "configuration-changed": { group: "Settings", text: "Configuration" },
}

/** What the list needs of an event. */
export const compact = ({ id, at, kind, detail, camera, frame, frames, alarm, since, share, schedule, lost }) =>
  ({ id, at, kind, detail, camera, frame, removed: frames?.length, alarm, since, share, schedule, lost })

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
    Object.assign(entry, { previous: entry.last, last: event, count: entry.count + 1 })
    entry.removed += event.removed ?? 0
    if (event.frame) entry.frames.push(event)
    return entry
  }
  const begin = event => extend({ first: event, count: 0, removed: 0, frames: [], goesOn: false }, event)

  for (const event of events) {
    const { kind, camera } = event
    const opening = ENDS[kind] ?? (BEGINNINGS.includes(kind) ? kind : null)
    if (REPEATED.includes(kind)) {
      const motion = event.frame && open.get(episode("motion-began", event))
      const key = event.frame ? kind : `${kind} ${camera} ${event.schedule}`
      const run = motion ?? runs.get(key)
      if (run && (motion || new Date(event.at) - new Date(run.first.at) < LONGEST_RUN_MS)) extend(run, event)
      else runs.set(key, begin(event))
      continue
    }
    if (kind === "camera-lost") forgetState(runs.get(`camera-state ${camera} undefined`), entries)
    const entry = opening && open.get(episode(opening, event))
    if (entry) Object.assign(entry, { goesOn: false, ended: event })
    if (entry && kind !== opening) extend(entry, event)
    else {
      const next = begin(event)
      next.goesOn = kind === opening
      if (opening) open.set(episode(opening, event), next)
    }
    if (kind !== opening) open.delete(opening && episode(opening, event))
    // What begins before a gap may have ended in it.
    if (kind === "gap") for (const one of open.values()) one.goesOn = false
    if (kind === "gap") open.clear()
    runs.clear()
  }
  return [...entries].reverse()
}

const episode = (opening, { camera, alarm }) => `${opening} ${camera} ${alarm}`

/** Takes the last state from a run: the loss of a camera has the same reason as the state before it. */
function forgetState(run, entries) {
  if (!run) return
  Object.assign(run, { count: run.count - 1, last: run.previous })
  if (!run.count) entries.delete(run)
}
