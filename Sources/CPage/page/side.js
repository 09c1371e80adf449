// SPDX-License-Identifier: Apache-2.0
// The side of the events view: the health of the daemon, and the hooks with their last results.
import { allows, ask, notice } from "./api.js"
import { count, duration, fill, make, placeEach, timeOf } from "./dom.js"
import { KINDS } from "./episodes.js"

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
  fill(element, ...(reasons.length ? reasons.map(fault) : [make("p", { class: kind }, kind ? works : "Loading…")]))
}

function fault(reason) {
  const { camera, code, spool } = reason
  const element = notice(reason, reason === NO_CAMERA || MILD.includes(code) ? "warn" : "bad")
  if (camera) element.append(make("p", {}, make("a", { href: `#live/${encodeURIComponent(camera)}` }, `Open ${camera}`)))
  if (spool) element.append(make("p", {}, make("a", { href: "#spool" }, "Open the spool")))
  return element
}

/** Loads the hooks into an element, in which what the user has unfolded stays so. */
export async function loadHooks(element) {
  if (!allows("admin")) return note(element, "Your role does not show hooks. The role “admin” is needed.")
  try {
    const { hooks } = await ask("GET", "v1/hooks")
    if (!hooks.length) return note(element, "No hook is configured. A hook runs a command or posts to an address on an event.")
    placeEach(element, hooks, hook => hook.name, makeHook, updateHook)
  } catch (problem) {
    if (problem.code !== "daemon-lost") note(element, notice(problem))
  }
}

const note = (element, content) =>
  fill(element, typeof content === "string" ? make("p", { class: "note" }, content) : content)

const makeHook = ({ name }) => make("details", { class: "hook", "data-hook": name }, make("summary"), make("div"))

function updateHook(element, hook) {
  const [summary, body] = element.children
  const last = hook.results.at(-1)
  fill(summary, make("strong", {}, hook.name), " ",
    last ? isGood(last) ? make("span", { class: "ok" }, "OK ", timeOf(last.at))
      : make("span", { class: "bad" }, "Failed ", timeOf(last.at)) : "Not run yet", " ",
    hook.waiting > 0 && make("span", { class: "warn" }, `${count(hook.waiting, "event")} waiting`))
  const kinds = hook.kinds.map(kind => KINDS[kind].text.toLowerCase()).join(", ")
  fill(body,
    make("p", {}, hook.webhook ? "Posts to " : "Runs ", make("code", {}, hook.webhook ?? hook.command.join(" ")),
      ` on: ${kinds}${hook.cameras ? `; only of ${hook.cameras.join(", ")}` : ""}.`),
    make("p", {}, `${hook.succeeded} succeeded, ${hook.failed} failed, ${hook.missed} missed, ${hook.running} running. `,
      hook.waiting > 0 && `The oldest event waits for ${duration(hook.waitingMs)}.`),
    make("ol", {}, ...[...hook.results].reverse().map(result)))
}

const isGood = ({ outcome }) => outcome === "ok"

function result(one) {
  const took = `${duration(one.tookMs)}${one.attempts > 1 ? `, ${one.attempts} attempts` : ""}`
  return make("li", { class: isGood(one) ? null : "bad" }, timeOf(one.at), make("span", {}, KINDS[one.kind].text),
    make("span", {}, `${one.detail} (${took})`))
}
