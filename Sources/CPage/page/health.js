// SPDX-License-Identifier: Apache-2.0
// The health of the daemon, and its hooks.
import { askIfAllowed } from "/page/access.js"
import { ask, notice } from "/page/api.js"
import { fill, find, make, say } from "/page/dom.js"
import { duration, timeOf } from "/page/format.js"

const WORDS = { ok: "No fault", degraded: "Degraded", failing: "Failing" }

export async function loadHealth() {
  try {
    const health = await ask("GET", "/healthz")
    showHealth(WORDS[health.status], { ok: "ok", degraded: "warn", failing: "bad" }[health.status], health.reasons ?? [])
    find("health-badge").title = `tintyped ${health.version}`
  } catch (problem) {
    if (problem.code !== "daemon-lost" && problem.code !== "unauthenticated") {
      showHealth("Health not known", "warn", [{ detail: problem.detail, remedy: problem.remedy ?? "" }])
    }
  }
}

function showHealth(text, kind, reasons) {
  const badge = find("health-badge")
  badge.hidden = false
  badge.className = `badge ${kind}`
  document.title = kind === "ok" ? "tintype" : `${text} · tintype`
  say(badge, reasons.length ? `${text}: ${reasons.length} ${reasons.length === 1 ? "reason" : "reasons"}` : text)
  find("health").hidden = !reasons.length
  fill(find("reasons"), ...reasons.map(reason => make("li", { class: `notice ${kind}` },
    make("p", {}, reason.detail), make("p", { class: "remedy" }, reason.remedy))))
}

export function loseHealth() {
  const badge = find("health-badge")
  badge.hidden = false
  badge.className = "badge bad"
  say(badge, "No answer")
  document.title = "No answer · tintype"
}

export async function loadHooks() {
  try {
    const { hooks } = await askIfAllowed("/v1/hooks")
    find("hooks").hidden = find("hooks-link").hidden = false
    fill(find("hook-list"), ...(hooks.length ? hooks.map(hook) : [make("p", {}, "No hook is configured.")]))
  } catch (problem) {
    const isDenied = problem.code === "access-denied"
    find("hooks").hidden = find("hooks-link").hidden = isDenied
    if (!isDenied && problem.code !== "daemon-lost") fill(find("hook-list"), notice(problem))
  }
}

function hook({ name, kinds, cameras, command, succeeded, failed, missed, running, waiting, waitingMs, results }) {
  const about = `For ${kinds.join(", ")}${cameras ? ` of ${cameras.join(", ")}` : ""}.`
  const numbers = `${succeeded} succeeded, ${failed} failed, ${missed} missed, ${running} running, ${waiting} waiting`
    + (waiting ? ` for up to ${duration(waitingMs)}.` : ".")
  const rows = [...results].reverse().map(({ outcome, at, kind, detail, tookMs, attempts }) =>
    make("li", { class: outcome === "ok" ? null : "bad" }, timeOf(at), make("code", {}, kind),
      make("span", {}, `${detail} (${duration(tookMs)}, attempt ${attempts})`)))
  return make("article", { class: "hook" }, make("h3", {}, name), make("p", {}, `${about} ${numbers}`),
    make("p", {}, make("code", {}, command.join(" "))),
    rows.length ? make("ol", { class: "events" }, ...rows) : make("p", { class: "note" }, "It has not run yet."))
}
