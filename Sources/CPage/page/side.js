// SPDX-License-Identifier: Apache-2.0
// The side of the events view: the health of the daemon, the jobs, and the hooks with their last results.
import { allows, ask, daemonTime, notice } from "./api.js"
import { announce, button, bytes, confirm, count, duration, fill, find, make, moment, placeEach, sentence, timeOf } from "./dom.js"
import { KINDS } from "./episodes.js"

const MILD = ["camera-alarm", "camera-degraded", "job-behind", "job-waiting", "not-published", "spool-low", "stills-fail"]
// Each state of a job as a kind of badge, and the states in which each command makes sense.
const JOBS = { pending: "", running: "ok", paused: "warn", done: "ok", failed: "bad", cancelled: "" }
const OPEN = ["pending", "running", "paused", "failed"]
const COMMANDS = { pause: ["pending", "running"], resume: ["paused"], retry: ["failed"], cancel: OPEN }
export const NO_CAMERA = {
  title: "No camera", detail: "The daemon finds no camera, or your role shows none.",
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

/** Loads the jobs into an element that has a part for notes and one for the list. */
export async function loadJobs(element) {
  const [notes, list] = element.children
  if (!allows("view")) {
    list.replaceChildren()
    return note(notes, "Your role does not show jobs. The role “view” for all cameras is needed.")
  }
  try {
    const { jobs, worker, unavailable = [] } = await ask("GET", "v1/jobs")
    const isOpen = jobs.some(({ state }) => OPEN.includes(state))
    fill(notes, !jobs.length && make("p", { class: "note" },
      "No upload, film or clip is configured or asked for. Uploads bring pictures to another machine: see “tintype help upload”."),
      isOpen && !worker && notice({
        detail: "No worker is connected: the jobs wait.",
        remedy: "Run “sudo systemctl enable --now tintype-worker” on the daemon's machine.",
      }, "warn"),
      isOpen && !allows("control") && make("p", { class: "note" },
        "The role “control” for all cameras is needed to pause, resume, retry or cancel jobs."),
      ...unavailable.map(name =>
        notice({ detail: `The spool ${name} does not answer. Its jobs are missing here.` }, "warn")))
    placeEach(list, jobs, job => job.id, makeJob, updateJob)
  } catch (problem) {
    if (problem.code !== "daemon-lost") note(notes, notice(problem))
  }
}

const makeJob = ({ id }) => make("div", { class: "job", "data-job": id },
  make("div"), make("div", { class: "buttons" }), make("div", { role: "alert" }))

function updateJob(element, job) {
  const [facts, buttons] = element.children
  const { rule, kind, camera, target, state, done, waiting, failed, lost, oldest, progress, frame, error, nextAttempt } = job
  const name = rule ?? job.id
  const total = done + waiting + failed
  const numbers = kind !== "upload" ? `${sentence(kind)} of ${camera}: ${job.source}` : [
    `${count(done, "picture")} delivered, ${bytes(job.bytes)}`, waiting > 0 && `${waiting} waiting`,
    failed > 0 && `${failed} refused`, lost > 0 && `${lost} deleted before`,
  ].filter(Boolean).join(", ")
  const age = oldest && ` The oldest was captured ${duration(daemonTime() - Date.parse(oldest))} ago.`
  fill(facts,
    make("div", { class: "head" }, make("h3", {}, name), make("span", { class: `badge ${JOBS[state]}` }, state)),
    make("code", {}, target),
    total > 0 && make("progress", { max: 1, value: kind === "upload" ? done / total : progress ?? 0, "aria-label": `Done by ${name}` }),
    make("p", {}, `${numbers}.`, age),
    frame && make("a", { href: `#spool/${frame}?kind=${kind}` }, `Open the ${kind}`),
    error && make("p", { class: state === "failed" ? "bad" : "warn" }, error,
      nextAttempt && ` The next attempt is at ${moment(nextAttempt)}.`))
  const commands = Object.keys(COMMANDS).filter(command => allows("control") && isOffered(command, job))
  fill(buttons, ...commands.map(command => button(sentence(command), () => change(command, job, element),
    { "aria-label": `${sentence(command)} ${name}` })))
}

/** Rules are not cancelled by command. A job that waits for its next attempt may be tried at once. */
const isOffered = (command, { state, rule, nextAttempt }) => (command !== "cancel" || !rule)
  && (COMMANDS[command].includes(state) || command === "retry" && state === "pending" && Boolean(nextAttempt))

async function change(command, { id, rule, kind }, element) {
  const text = {
    film: "The film is not made. Its pictures stay in the spool.", clip: "The clip is not made, and its recording is deleted.",
  }[kind] ?? "The pictures that wait are not uploaded. They stay in the spool."
  if (command === "cancel" && !await confirm(`Cancel job ${id}?`, [make("p", {}, text)], "Cancel the job")) return
  try {
    const { state } = await ask("POST", `v1/jobs/${encodeURIComponent(id)}/${command}`)
    element.lastChild.replaceChildren()
    announce(`The job ${rule ?? id} is ${state}.`)
  } catch (problem) {
    element.lastChild.replaceChildren(notice(problem))
  }
  await loadJobs(find("jobs"))
  // The focus does not get lost with the button.
  if (document.activeElement === document.body) element.querySelector("button")?.focus()
}
