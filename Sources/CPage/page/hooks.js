// SPDX-License-Identifier: Apache-2.0
// The hooks, with their last results and the events that wait for them.
import { allows } from "./access.js"
import { ask, notice } from "./api.js"
import { fill, make } from "./dom.js"
import { KINDS } from "./episodes.js"
import { count, duration, timeOf } from "./format.js"

const shown = new Map()

/** Loads the hooks into an element, in which what the user has unfolded stays so. */
export async function loadHooks(element) {
  if (!allows("admin")) return note(element, "Your role does not show hooks. The role “admin” is needed.")
  try {
    const { hooks } = await ask("GET", "v1/hooks")
    if (!hooks.length) return note(element, "No hook is configured. A hook runs a command or posts to an address on an event.")
    for (const [name, row] of shown) {
      if (hooks.some(hook => hook.name === name)) continue
      row.remove()
      shown.delete(name)
    }
    if (!shown.size) element.replaceChildren()
    hooks.forEach(hook => element.append(row(hook)))
  } catch (problem) {
    if (problem.code !== "daemon-lost") note(element, notice(problem))
  }
}

function note(element, content) {
  shown.clear()
  fill(element, typeof content === "string" ? make("p", { class: "note" }, content) : content)
}

function row(hook) {
  if (!shown.has(hook.name)) {
    shown.set(hook.name, make("details", { class: "hook", "data-hook": hook.name }, make("summary"), make("div")))
  }
  const element = shown.get(hook.name)
  const [summary, body] = element.children
  const last = hook.results.at(-1)
  const waits = hook.waiting > 0 && `${count(hook.waiting, "event")} waiting, the oldest for ${duration(hook.waitingMs)}`
  fill(summary, make("strong", {}, hook.name),
    make("span", {}, `On ${hook.kinds.map(kind => KINDS[kind].text.toLowerCase()).join(", ")}${of(hook.cameras)}`),
    last ? make("span", { class: isGood(last) ? "ok" : "bad" }, isGood(last) ? "Last: OK " : "Last: failed ", timeOf(last.at))
      : make("span", {}, "Not run yet"),
    waits && make("span", { class: "warn" }, waits))
  const numbers = `${hook.succeeded} succeeded, ${hook.failed} failed, ${hook.missed} missed, ${hook.running} running.`
  const target = hook.webhook ?? hook.command.join(" ")
  fill(body, make("p", {}, hook.webhook ? "Posts to " : "Runs ", make("code", {}, target)), make("p", {}, numbers),
    make("ol", {}, ...[...hook.results].reverse().map(result)))
  return element
}

const of = cameras => cameras ? `, ${cameras.join(", ")} only` : ""
const isGood = ({ outcome }) => outcome === "ok"

function result(one) {
  const took = `${duration(one.tookMs)}${one.attempts > 1 ? `, ${one.attempts} attempts` : ""}`
  return make("li", { class: isGood(one) ? null : "bad" }, timeOf(one.at), make("span", {}, KINDS[one.kind].text),
    make("span", {}, `${one.detail} (${took})`))
}
