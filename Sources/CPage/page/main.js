// SPDX-License-Identifier: Apache-2.0
// The frame of the page: sign-in, views, the status that is asked for every 2 s, and events.
import { loadAccess } from "./access.js"
import { ask, connection, notice } from "./api.js"
import { announce, fill, find, say } from "./dom.js"
import { view as events } from "./events.js"
import { count } from "./format.js"
import { view as live } from "./live.js"
import { askForToken, showAccount } from "./login.js"
import { closeSource, openSource } from "./source.js"
import { view as spool } from "./spool.js"

const POLL_MS = 2000
const SOON_MS = 200
const ACCESS_EVERY = 5
const views = { live, spool, events }
const WORDS = { ok: ["OK", "ok"], degraded: ["Degraded", "warn"], failing: ["Failing", "bad"] }
// The last known status, and the problem that keeps a part of it from being known.
const status = { cameras: null, health: null, problems: {} }
let current
let timer
let soon
let round = 0
let isShown = false
// A link may have a token: what follows the # is sent to no server.
const [, linked] = /^#token=([\w-]+)$/.exec(location.hash) ?? []
if (linked) history.replaceState(null, "", location.pathname)

const page = {
  /** Goes to an address such as #live/garden; with `isSame` without an entry in the browser's history. */
  go(hash, isSame = false) {
    if (!isSame) location.hash = hash
    else {
      history.replaceState(null, "", hash)
      route()
    }
  },
  cameras: () => status.cameras ?? [],
}

const each = (method, ...values) => { for (const view of Object.values(views)) view[method]?.(...values) }

/** Shows the view that the address names: #view, #view/id, #view?name=value. */
function route() {
  // The link to the content leaves the view as it is.
  if (!isShown || current && location.hash === "#main") return
  const [, name, id, query] = /^#?([a-z]*)(?:\/([^?]*))?(?:\?(.*))?$/.exec(location.hash) ?? []
  const chosen = Object.hasOwn(views, name) ? name : "live"
  if (current !== chosen) {
    views[current]?.hide()
    for (const other of Object.keys(views)) find(other).hidden = other !== chosen
    for (const link of find("nav").children) {
      if (link.hash === `#${chosen}`) link.setAttribute("aria-current", "page")
      else link.removeAttribute("aria-current")
    }
    if (current) scrollTo(0, 0)
    current = chosen
  }
  views[chosen].show({ id: id ? decodeURIComponent(id) : undefined, query: new URLSearchParams(query ?? "") })
  showHealth()
}

/** Starts the views; tries again while the daemon does not answer. */
async function begin() {
  clearTimeout(timer)
  try {
    showAccount(await loadAccess())
  } catch (problem) {
    if (problem.code === "unauthenticated") return
    find("lost").replaceChildren(notice(problem))
    timer = setTimeout(begin, POLL_MS)
    return
  } finally {
    find("loading").hidden = true
  }
  find("lost").replaceChildren()
  isShown = true
  find("nav").hidden = false
  for (const [name, view] of Object.entries(views)) view.start(find(name), page)
  route()
  openSource(hear, problem => { status.problems.events = problem })
  await poll()
}

/** Asks for the status of cameras and daemon every 2 s while the page is visible. */
async function poll() {
  clearTimeout(timer)
  if (!isShown || document.hidden) return
  round += 1
  await Promise.all([load("cameras", "v1/cameras"), load("health", "healthz"),
    round % ACCESS_EVERY === 0 && loadAccess().catch(() => {})])
  clearTimeout(timer)
  if (!isShown) return
  timer = setTimeout(poll, POLL_MS)
  if (!connection.isLost) each("status", status)
  showHealth()
}

async function load(name, path) {
  try {
    const reply = await ask("GET", path)
    status[name] = name === "cameras" ? reply.cameras : reply
    status.problems[name] = null
  } catch (problem) {
    status.problems[name] = problem
    // What the user may no longer see is not shown any longer.
    if (problem.code === "access-denied") status[name] = null
  }
}

/** The badge in the header, and the title of the window. */
function showHealth() {
  const { health, cameras, problems } = status
  const faults = health?.reasons?.length ?? 0
  const [word, kind] = connection.isLost ? ["No answer", "bad"] : problems.health ? ["Not known", "warn"]
    : !health ? ["…", ""] : faults ? [count(faults, "fault"), WORDS[health.status][1]]
    : cameras?.length === 0 ? ["No camera", "warn"] : WORDS[health.status]
  const badge = find("health-badge")
  badge.hidden = !health && !problems.health && !connection.isLost
  badge.className = `badge ${kind}`
  badge.title = health ? `Health of tintyped ${health.version}` : "Health"
  say(badge, word)
  const name = { live: "Live", spool: "Spool", events: "Events" }[current]
  document.title = `${kind === "ok" || !kind ? "" : `${word} · `}${name ? `${name} · ` : ""}tintype`
}

function hear(event) {
  each("event", event)
  if (event.kind.startsWith("frame")) return
  soon ??= setTimeout(async () => {
    soon = undefined
    if (!document.hidden) return poll()
    // The title of a hidden window tells of faults.
    await load("health", "healthz")
    showHealth()
  }, SOON_MS)
}

connection.addEventListener("lost", () => {
  if (!isShown) return
  each("lost")
  showHealth()
  fill(find("lost"), notice({
    title: "The daemon does not answer",
    detail: "The page shows the last known status. It asks again every 2 s, and goes on when the daemon answers.",
    remedy: "If this lasts, look at “systemctl status tintyped” on the daemon's machine.",
  }))
})

connection.addEventListener("found", () => {
  if (!isShown) return
  find("lost").replaceChildren()
  announce("The daemon answers again.")
  loadAccess().catch(() => {})
  each("found")
})

connection.addEventListener("unauthenticated", () => {
  if (!find("login").hidden) return
  clearTimeout(timer)
  closeSource()
  if (isShown) views[current].hide()
  isShown = false
  // What the last user saw is removed; after signing in the page starts anew.
  for (const name of Object.keys(views)) find(name).remove()
  for (const id of ["nav", "tools", "account", "health-badge", "loading"]) find(id).hidden = true
  find("lost").replaceChildren()
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close()
  askForToken(linked, () => location.reload())
})

// A link with a token that is opened in the same tab changes only what follows the #: the page starts anew with it.
addEventListener("hashchange", () => location.hash.startsWith("#token=") ? location.reload() : route())
document.addEventListener("visibilitychange", poll)
begin()
