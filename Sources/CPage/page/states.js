// SPDX-License-Identifier: Apache-2.0
// The state of a camera as the page shows it, its faults, and the health of the daemon.
import { daemonTime } from "./api.js"
import { count, duration, moment, sentence } from "./dom.js"

const STALE_MS = 5000
const STALE_FRAMES = 3
const RUNS = ["settling", "running", "degraded"]
const BARRED = { denied: "Forbidden", restricted: "Forbidden", absent: "Absent" }
export const NO_CAMERA = {
  title: "No camera",
  detail: "The daemon finds no camera, or your role shows none.",
  remedy: "Connect a camera: it appears here by itself. If one is connected, run “tintype doctor” on the daemon's machine.",
}

export const runs = status => RUNS.includes(status?.state.name)

/** True for a closed camera that could be opened for a viewer. */
export const mayBeWatched = ({ state, authorization }) =>
  ["off", "failed", "interrupted"].includes(state.name) && !(authorization.status in BARRED)

/** The faults of a camera, each with `kind`, `detail` and `remedy`. */
export function faultsOf(status, health) {
  const { state, failing, controls, name } = status
  const isBad = ["failed", "interrupted"].includes(state.name) || status.authorization.status in BARRED
  const found = (health?.reasons ?? []).filter(reason => reason.camera === name)
    .map(reason => ({ ...reason, kind: isBad && reason.code !== "camera-alarm" ? "bad" : "warn" }))
  // The health is asked for at the same time, but may not be known.
  const kind = isBad ? "bad" : "warn"
  if (state.reason && !found.length) found.push({ ...state.reason, retryAfterMs: undefined, kind })
  if (state.nextAttempt && found.length) found[0].remedy += ` The daemon tries again at ${moment(state.nextAttempt)}.`
  const isSaid = found.some(({ code }) => code === "stills-fail") || failing?.problem.code === state.reason?.code
  if (failing && !isSaid) {
    const detail = `${count(failing.count, "still")} failed since ${moment(failing.since)}. ${failing.problem.detail}`
    found.push({ kind: "warn", detail, remedy: failing.problem.remedy })
  }
  const shutter = { kind: "warn", detail: "The privacy shutter is closed.", remedy: "Open it to take pictures." }
  return controls?.isShutterClosed ? [...found, shutter] : found
}

/**
 * A `word` for the state with its `kind`, and `detail` and `remedy` where there is no live picture or a fault.
 *
 * The screen knows `camera`, its name; `picture`, the time since when no live picture has come; `problem`, why there is
 * none; `hasPicture`, whether it shows any; and `mayWatch`.
 */
export function stateOf({ status, health, isLost, isPaused, isWatched }, screen) {
  const { camera, picture, problem, hasPicture, mayWatch } = screen
  const fault = status && faultsOf(status, health)[0]
  const as = (word, kind, reason = fault) => ({ word, kind, detail: reason?.detail, remedy: reason?.remedy })
  if (!status) return as("Unknown", "bad", {
    detail: `There is no camera “${camera}”, or your role does not show it.`, remedy: "Live shows all cameras.",
  })
  if (isLost) return as("Not known", "warn", {
    detail: "The daemon does not answer.", remedy: "The picture is the last one that came.",
  })
  const name = status.state.name
  if (status.stuckCall) return as("Stuck", "bad")
  if (status.authorization.status in BARRED && !runs(status)) return as(BARRED[status.authorization.status], "bad")
  if (name === "failed" || name === "interrupted") return as(sentence(name), "bad")
  if (!runs(status)) {
    if (isWatched && problem) return as("Off", "bad", problem)
    if (isWatched || name === "opening") return as("Opening", "", { detail: "The camera is being opened." })
    if (fault) return as("Off", "warn")
    return as("Off", "", {
      detail: hasPicture ? "The camera is off." : "The camera is off, and no picture of it is stored.",
      remedy: mayWatch ? "“Watch” opens it for as long as you look." : "A schedule opens it, or someone who may watch.",
    })
  }
  const { numerator = 0, denominator = 1 } = status.format?.interval ?? {}
  const age = Math.max(status.lastFrameAgeMs ?? 0, picture && !isPaused ? daemonTime() - picture : 0)
  if (name !== "settling" && age > Math.max(STALE_MS, STALE_FRAMES * 1000 * numerator / denominator)) {
    return as("Stale", "warn", problem ?? {
      detail: `There has been no new picture for ${duration(age)}.`,
      remedy: fault?.remedy
        ?? "The daemon reopens a camera that gives none. If only this page is late, the connection is too slow.",
    })
  }
  if (isPaused) return as("Paused", "", {})
  if (!picture && problem) return as("No picture", "bad", problem)
  if (!picture) return as(sentence(name), "", { detail: "The first picture is on its way." })
  if (name === "degraded") return as("Degraded", "warn")
  return name === "settling" ? as("Settling", "") : as("Live", "ok")
}

/** A word with its kind (ok, warn, bad; empty while nothing is known), and all reasons. A missing camera is one of them. */
export function verdict({ cameras, health, problems }) {
  if (problems.health) return { kind: "warn", text: "Not known", reasons: [problems.health] }
  if (!health) return { kind: "", text: "…", reasons: [] }
  const faults = health.reasons ?? []
  const reasons = cameras?.length === 0 ? [NO_CAMERA, ...faults] : faults
  const kind = health.status === "failing" ? "bad" : reasons.length ? "warn" : "ok"
  return { kind, text: faults.length ? count(faults.length, "fault") : reasons.length ? "No camera" : "OK", reasons }
}
