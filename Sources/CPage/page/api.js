// SPDX-License-Identifier: Apache-2.0
// Requests to the daemon, its events, whether it answers, and the roles of the user.
import { duration, make } from "./dom.js"
import { KINDS } from "./episodes.js"

// Differences of the clocks that are due to the way of a reply.
const CLOCK_MS = 3000
const RETRY_MS = 2000
let [aheadMs, last] = [0, 0]
let source, retry
const STATUS = ["v1/cameras", "healthz"]
const ROLES = ["view", "still", "control", "admin"]
const NEEDED = {
  still: "watch closed cameras, take stills and read controls", control: "set controls, and pin or tag frames",
  admin: "delete frames",
}
let access = { role: null }

/** Has the events "lost" and "found", as the daemon stops and starts to answer, and "unauthenticated". */
export const connection = Object.assign(new EventTarget(), { isLost: false })

export class Problem extends Error {
  constructor(document) {
    super(document.detail)
    Object.assign(this, document)
  }
}

function setLost(isLost, detail) {
  if (connection.isLost === isLost) return
  connection.isLost = isLost
  connection.dispatchEvent(new CustomEvent(isLost ? "lost" : "found", { detail }))
}

function lost(detail) {
  const remedy = "The page shows what was last known, and asks again every 2 s. If this lasts, look at "
    + "“systemctl status tintyped” on the daemon's machine."
  return new Problem({ code: "daemon-lost", title: "The daemon does not answer", detail, remedy })
}

/** The daemon's clock, as its replies have it: that of the browser may be wrong by hours. */
export const daemonTime = () => Date.now() + aheadMs
const isOf = (reply, type) => (reply.headers.get("Content-Type") ?? "").startsWith(type)

/** Like fetch(). By its header the daemon knows that a window of the browser for the password would be in the way. */
export const request = (path, { headers, ...options }) =>
  fetch(path, { headers: { "X-Requested-With": "tintype", ...headers }, cache: "no-store", ...options })

/** The problem that a reply without success has. */
export async function problemOf(reply) {
  if (isOf(reply, "application/problem+json")) {
    const problem = new Problem(await reply.json())
    if (problem.code === "unauthenticated") connection.dispatchEvent(new Event("unauthenticated"))
    return problem
  }
  if ([502, 503, 504].includes(reply.status)) {
    return lost(`The server in front of the daemon replied with status ${reply.status}.`)
  }
  return new Problem({
    code: "internal", title: "The request failed", remedy: "Look at the daemon's log.",
    detail: `The reply has status ${reply.status} and no problem document.`,
  })
}

/** The JSON of a reply, or null for none; throws a Problem. */
export async function ask(method, path, body, limitMs = 10000) {
  const json = body !== undefined && { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } }
  let problem
  try {
    const reply = await request(path, { method, signal: AbortSignal.timeout(limitMs), ...json })
    const ms = Date.parse(reply.headers.get("Date")) - Date.now()
    if (Math.abs(ms - aheadMs) > CLOCK_MS) aheadMs = ms
    // The health “failing” has the status 503 and no problem.
    if (reply.ok || isOf(reply, "application/json")) {
      const result = reply.status === 204 ? null : await reply.json()
      setLost(false)
      return result
    }
    problem = await problemOf(reply)
  } catch (error) {
    const isLate = error.name === "TimeoutError"
    problem = lost(isLate ? `There was no reply within ${duration(limitMs)}.` : "The connection to the daemon failed.")
    // The status is answered at once: a spool or a camera may be slow while the daemon answers.
    if (isLate && !STATUS.includes(path)) {
      throw Object.assign(problem, { code: "late", title: "The reply is late", remedy: "Try again. The daemon's log may have the reason." })
    }
  }
  setLost(problem.code === "daemon-lost", problem)
  throw problem
}

/** The problem that a path replies with, or null, also if there is no reply; no other reply is read. */
export const problemAt = path => request(path, {})
  .then(reply => reply.ok ? reply.body?.cancel() : problemOf(reply)).then(problem => problem ?? null, () => null)

export const cameraPath = name => `v1/cameras/${encodeURIComponent(name)}`

/** An element with title, reason and remedy of a problem, and the time after which another try makes sense. */
export function notice(problem, kind = "bad") {
  const wait = problem.retryAfterMs ? ` Try again after ${duration(problem.retryAfterMs)}.` : ""
  return make("div", { class: `notice ${kind}` },
    problem.title && make("p", {}, make("strong", {}, problem.title)),
    make("p", {}, problem.detail ?? problem.message),
    problem.remedy && make("p", { class: "remedy" }, problem.remedy + wait))
}

/** Calls `hear` with each event, and `fail` with the problem that keeps events from coming, or null without one. */
export function openSource(hear, fail) {
  const path = `v1/events?after=${last}`
  const own = source = new EventSource(path)
  for (const kind of Object.keys(KINDS)) {
    own.addEventListener(kind, ({ data }) => {
      const event = JSON.parse(data)
      last = Math.max(last, event.id)
      hear(event)
    })
  }
  own.onopen = () => fail(null)
  // It reconnects by itself, with its last event, unless the reply was an error.
  own.onerror = async () => {
    if (own.readyState !== EventSource.CLOSED) return
    const problem = await problemAt(path)
    if (source !== own) return
    fail(problem)
    retry = setTimeout(() => openSource(hear, fail), RETRY_MS)
  }
}

export function closeSource() {
  clearTimeout(retry)
  source?.close()
  source = null
}

export const loadAccess = async () => access = await ask("GET", "v1/access")

/** The larger of the role for all cameras and the one for this camera. */
function roleFor(camera) {
  const own = access.cameras?.find(one => one.camera === camera)?.role
  return ROLES[Math.max(ROLES.indexOf(access.role), ROLES.indexOf(own))] ?? null
}

/** True if the role for a camera, or for all of them without one, is enough. */
export const allows = (role, camera) => ROLES.indexOf(roleFor(camera)) >= ROLES.indexOf(role)

/** The reason why an action is not offered for a camera, in two sentences; null if it is offered. */
export const refusal = (role, camera) => allows(role, camera) ? null
  : `Your role for ${camera} is “${roleFor(camera) ?? "none"}”. The role “${role}” is needed to ${NEEDED[role]}.`
