// SPDX-License-Identifier: Apache-2.0
// The faults of a camera, by its status.
import { notice } from "./api.js"
import { make } from "./dom.js"
import { count, duration, moment } from "./format.js"

/** A notice for each fault. */
export function faults({ state, authorization, failing, stuckCall, controls }) {
  const found = []
  const add = (problem, kind) => found.push(notice(problem, kind))
  const title = "The daemon may not open the camera"
  if (state.reason) {
    // The daemon itself tries again: the time is not for the user.
    add({ ...state.reason, retryAfterMs: undefined }, state.name === "degraded" ? "warn" : "bad")
    if (state.nextAttempt) {
      const text = `Interrupted since ${moment(state.since)}. The next attempt is at ${moment(state.nextAttempt)}.`
      found.push(make("p", { class: "note" }, text))
    }
  } else if (authorization.status === "denied") {
    add({ title, detail: "Access to its node is denied.", remedy: authorization.remedy })
  } else if (authorization.status === "restricted") {
    add({ title, detail: `The policy “${authorization.by}” refuses it.` })
  } else if (stuckCall) {
    add({ detail: `The driver call ${stuckCall.name} has been running for ${duration(stuckCall.runningMs)}.` }, "warn")
  }
  if (failing && failing.problem.code !== state.reason?.code) {
    const detail = `${count(failing.count, "still")} failed since ${moment(failing.since)}. ${failing.problem.detail}`
    add({ ...failing.problem, detail, retryAfterMs: undefined }, "warn")
  }
  if (controls?.isShutterClosed) {
    add({ detail: "The privacy shutter is closed.", remedy: "Open it to take stills." }, "warn")
  }
  return found
}
