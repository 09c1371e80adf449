// SPDX-License-Identifier: Apache-2.0
// The health of the daemon: a word for the header, and sentences for the events view.
import { notice } from "./api.js"
import { fill, make } from "./dom.js"
import { count } from "./format.js"

const MILD = ["camera-alarm", "camera-degraded", "not-published", "spool-low", "stills-fail"]
const NO_CAMERA = {
  title: "No camera", code: "no-camera",
  detail: "The daemon finds no camera, or your role shows none.",
  remedy: "Connect a camera: it appears here by itself. If one is connected, run “tintype doctor” on the daemon's machine.",
}
const UNCONFIGURED = {
  ...NO_CAMERA, detail: "A camera is connected, but the daemon's configuration names none.",
  remedy: "Run “tintype cameras” on the daemon's machine, and add the line that it prints to tintyped.yaml.",
}

/** One word with its kind (ok, warn, bad; empty while not known), and all reasons; a missing camera is no fault of the daemon. */
export function verdict({ cameras, health, unconfigured }) {
  if (!health) return { kind: "", text: "Not known", reasons: [] }
  const faults = health.reasons ?? []
  const missing = cameras?.length === 0 ? [unconfigured?.length ? UNCONFIGURED : NO_CAMERA] : []
  const kind = health.status === "failing" ? "bad" : faults.length || missing.length ? "warn" : "ok"
  return { kind, text: faults.length ? count(faults.length, "fault") : missing.length ? "No camera" : "OK", reasons: [...missing, ...faults] }
}

export function showHealth(element, status) {
  const { kind, reasons } = verdict(status)
  const works = `Everything works: ${count(status.cameras?.length ?? 0, "camera")}, no fault.`
  fill(element, ...(reasons.length ? reasons.map(row) : [make("p", { class: kind }, kind ? works : "Loading…")]))
}

function row(reason) {
  const { camera, code, spool } = reason
  const element = notice(reason, MILD.includes(code) || code === "no-camera" ? "warn" : "bad")
  if (camera) element.append(make("p", {}, make("a", { href: `#live/${encodeURIComponent(camera)}` }, `Open ${camera}`)))
  if (spool) element.append(make("p", {}, make("a", { href: "#spool" }, "Open the spool")))
  return element
}
