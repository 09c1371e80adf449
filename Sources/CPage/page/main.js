// SPDX-License-Identifier: Apache-2.0
// The frame of the page: sign-in, views, the status that is asked for every 2 s, and events.
import { ask, closeSource, connection, loadAccess, notice, openSource } from "./api.js"
import { announce, fill, find, icon, say, tell } from "./dom.js"
import { view as events } from "./events.js"
import { view as live } from "./live.js"
import { verdict } from "./side.js"
import { view as spool } from "./spool.js"

const [POLL_MS, HIDDEN_POLL_MS, SOON_MS] = [2000, 30000, 200]
const views = { live, spool, events }
// The last known status, and the problem that keeps a part of it from being known.
const status = { cameras: null, health: null, problems: {} }
let current, timer, soon
let isShown = false
// A link may have a token: what follows the # is sent to no server.
const [, linked] = /^#token=([\w-]+)$/.exec(location.hash) ?? []
if (linked) history.replaceState(null, "", location.pathname)

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
    for (const link of find("nav").children) link.ariaCurrent = link.hash === `#${chosen}` ? "page" : null
    if (current) scrollTo(0, 0)
    current = chosen
  }
  // URLSearchParams also decodes what is encoded in a wrong way.
  views[chosen].show({ id: id && new URLSearchParams(`id=${id}`).get("id"), query: new URLSearchParams(query) })
  showHealth()
}

/** Starts the views; tries again while the daemon does not answer. */
async function begin() {
  const failure = await loadAccess().then(showAccount, problem => problem)
  find("loading").hidden = true
  if (failure?.code === "unauthenticated") return
  fill(find("lost"), failure && notice(failure))
  if (linked && !failure) tell("You were signed in already: the token of the link is not used. To use it, sign out first.")
  if (failure) return setTimeout(begin, POLL_MS)
  isShown = true
  find("nav").hidden = false
  for (const [name, view] of Object.entries(views)) view.start(find(name))
  route()
  listen()
  await poll()
}

/** Listens to events while the page is visible: a browser has six connections to a server, for all its windows. */
function listen() {
  closeSource()
  if (isShown && !document.hidden) openSource(hear, problem => { status.problems.events = problem })
}

/** Asks for the status of cameras and daemon every 2 s, or for the health every 30 s while the page is hidden. */
async function poll() {
  clearTimeout(timer)
  if (!isShown) return
  const health = load("health", "healthz")
  // The title of a hidden window tells of faults.
  await (document.hidden ? health : Promise.all([health, load("cameras", "v1/cameras"), loadAccess().catch(() => {})]))
  clearTimeout(timer)
  if (!isShown) return
  timer = setTimeout(poll, document.hidden ? HIDDEN_POLL_MS : POLL_MS)
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

function showHealth() {
  if (!isShown) return
  const { kind, text } = connection.isLost ? { kind: "bad", text: "No answer" } : verdict(status)
  const badge = find("health-badge")
  badge.hidden = !kind
  badge.className = `badge ${kind}`
  badge.title = `Health of tintyped ${status.health?.version ?? ""}`
  say(badge, text)
  document.title = [...["warn", "bad"].includes(kind) ? [text] : [], find(current).ariaLabel, "tintype"].join(" · ")
}

function hear(event) {
  each("event", event)
  if (event.kind.startsWith("frame")) return
  soon ??= setTimeout(async () => {
    await poll()
    // Many events do not pile up requests.
    soon = undefined
  }, SOON_MS)
}

for (const kind of ["lost", "found"]) {
  connection.addEventListener(kind, ({ detail }) => {
    if (!isShown) return
    fill(find("lost"), detail && notice(detail))
    if (!detail) announce("The daemon answers again.")
    each(kind)
    showHealth()
  })
}

connection.addEventListener("unauthenticated", () => {
  // What the last user saw goes with the page, which starts anew.
  if (isShown) location.reload()
  else if (find("login").hidden) askForToken(linked)
})

// A link with a token that is opened in the same tab changes only what follows the #: the page starts anew with it.
addEventListener("hashchange", () => location.hash.startsWith("#token=") ? location.reload() : route())
document.addEventListener("visibilitychange", () => {
  listen()
  poll()
})
// The browser may keep a page that is left, with its connections, for the way back.
addEventListener("pagehide", () => {
  closeSource()
  if (isShown) views[current].hide()
  isShown = false
})
addEventListener("pageshow", ({ persisted }) => { if (persisted) location.reload() })
begin()

/** Shows the form for a token, and first tries `linked` if there is one; when one is accepted, the page starts anew. */
function askForToken(linked) {
  const [field, form] = [find("token"), find("login-form")]
  find("login").hidden = false
  field.focus()
  form.onsubmit = async event => {
    event.preventDefault()
    try {
      await ask("POST", "v1/login", { token: field.value.trim() })
      field.value = ""
      location.reload()
    } catch (problem) {
      find("login-failure").replaceChildren(notice(problem))
      field.select()
    }
  }
  if (!linked) return
  field.value = linked
  form.requestSubmit()
}

/** Shows the name of the user, and “Sign out” for a token: beside each other, or in a menu in a narrow window. */
function showAccount(access) {
  const account = find("account")
  const wide = matchMedia("(min-width: 840px)")
  account.hidden = false
  account.firstElementChild.replaceChildren(icon("user"))
  account.open = wide.matches
  wide.onchange = () => { account.open = wide.matches }
  const leave = ({ relatedTarget: to }) => { account.open &&= wide.matches || account.contains(to) }
  account.addEventListener("focusout", leave)
  const isToken = access.via === "token"
  const title = isToken ? "You are signed in by this token." : "The daemon knows you as this user."
  Object.assign(find("who"), { textContent: access.name, title })
  Object.assign(find("sign-out"), { hidden: !isToken, onclick: () => ask("POST", "v1/logout")
    .then(() => location.reload(), problem => tell(`You are still signed in. ${problem.detail}`)) })
}
