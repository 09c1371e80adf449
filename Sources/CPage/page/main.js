// SPDX-License-Identifier: Apache-2.0
// Loads the parts of the page and keeps them up to date.
import { loadAccess } from "/page/access.js"
import { connection, notice } from "/page/api.js"
import { cameraEvent, chooseLive, clearCameras, loadCameras, loseCameras, offerPause } from "/page/cameras.js"
import { announce, find } from "/page/dom.js"
import { clearEvents, offerEvents, openEvents } from "/page/events.js"
import { zone } from "/page/format.js"
import { framesChanged, loadFrames, loadSpools, offerFilter } from "/page/frames.js"
import { loadHealth, loadHooks, loseHealth } from "/page/health.js"
import { askForToken, offerSignOut } from "/page/login.js"

const POLL_MS = 2000
const SOON_MS = 200
const RARE_EVERY = 5
let timer
let soon
let round = 0
let isShown = false

/** Loads everything; tries again while the daemon does not answer. */
async function begin() {
  clearTimeout(timer)
  try {
    const access = await loadAccess()
    offerSignOut(access, () => location.reload())
  } catch (problem) {
    if (problem.code !== "unauthenticated") {
      find("lost").replaceChildren(notice(problem))
      timer = setTimeout(begin, POLL_MS)
    }
    return
  } finally {
    find("loading").hidden = true
  }
  find("lost").replaceChildren()
  isShown = true
  find("content").hidden = find("nav").hidden = false
  openEvents(hear)
  await Promise.all([loadFrames(), loadSpools(), poll()])
}

/** Asks for the status of cameras and daemon every 2 s while the page is visible. */
async function poll() {
  clearTimeout(timer)
  if (!isShown || document.hidden) return
  const isRare = round % RARE_EVERY === 0
  round += 1
  await Promise.all([loadCameras(), loadHealth(), isRare && loadHooks(), isRare && loadAccess().catch(() => {})])
  clearTimeout(timer)
  if (isShown) timer = setTimeout(poll, POLL_MS)
}

function hear(event) {
  cameraEvent(event)
  if (event.kind.startsWith("frame")) framesChanged(event.kind)
  else soon ??= setTimeout(() => {
    soon = undefined
    if (document.hidden) loadHealth()
    else poll()
  }, SOON_MS)
}

connection.addEventListener("lost", () => {
  if (!isShown) return
  loseCameras()
  loseHealth()
  find("lost").replaceChildren(notice({
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
  loadFrames()
  loadSpools()
})

connection.addEventListener("unauthenticated", () => {
  if (!find("login").hidden) return
  isShown = false
  clearTimeout(timer)
  clearCameras()
  clearEvents()
  for (const id of ["content", "nav", "who", "sign-out", "health-badge", "loading"]) find(id).hidden = true
  find("lost").replaceChildren()
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close()
  askForToken(() => {
    find("main").focus()
    begin()
  })
})

document.addEventListener("visibilitychange", () => {
  chooseLive()
  poll()
  if (isShown && !document.hidden) framesChanged("visible")
})

find("zone").textContent = `Times are local: ${zone()}. Point at a time for its day and zone.`
offerPause()
offerFilter()
offerEvents()
begin()
