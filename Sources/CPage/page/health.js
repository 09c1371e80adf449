// SPDX-License-Identifier: Apache-2.0
// The health of the daemon: a word for the header, and sentences for the events view.
import { notice } from "./api.js"
import { fill, make } from "./dom.js"
import { count } from "./format.js"

const MILD = ["camera-alarm", "camera-degraded", "not-published", "spool-low", "stills-fail"]
export const NO_CAMERA = {
  title: "No camera",
  detail: "The daemon finds no camera, or your role shows none.",
  remedy: "Connect a camera: it appears here by itself. If one is connected, run “tintype doctor” on the daemon's machine.",
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

export function showHealth(element, status) {
  const { kind, reasons } = verdict(status)
  const works = `Everything works: ${count(status.cameras?.length ?? 0, "camera")}, no fault.`
  fill(element, ...(reasons.length ? reasons.map(row) : [make("p", { class: kind }, kind ? works : "Loading…")]))
}

function row(reason) {
  const { camera, code, spool } = reason
  const element = notice(reason, reason === NO_CAMERA || MILD.includes(code) ? "warn" : "bad")
  if (camera) element.append(make("p", {}, make("a", { href: `#live/${encodeURIComponent(camera)}` }, `Open ${camera}`)))
  if (spool) element.append(make("p", {}, make("a", { href: "#spool" }, "Open the spool")))
  return element
}
