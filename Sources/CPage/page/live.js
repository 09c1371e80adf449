// SPDX-License-Identifier: Apache-2.0
// The view Live: a grid of all cameras, or one of them in the whole window.
import { allows, ask, cameraPath, connection } from "./api.js"
import { CameraViewer } from "./camera.js"
import { announce, fill, find, go, iconButton, make, place, tell } from "./dom.js"
import { Feed } from "./feed.js"
import { runs, Screen } from "./screen.js"
import { NO_CAMERA } from "./side.js"

const [RATE, STILL_LIMIT_MS] = [5, 60000]
// Clients that ask for the same width share one encode.
const WIDTHS = [480, 960, 1920]
// In CSS pixels: tiles of many cameras, those of few, the header, and the gap of the grid. Its least share of the width.
const [NARROWEST, NARROW, BAR, GAP, LEAST_SHARE] = [360, 300, 48, 2, 0.7]
const tiles = new Map()
// Cameras that are opened for as long as the user looks.
const watched = new Set()
// With reduced motion the user starts live pictures by the button.
let isPaused = matchMedia("(prefers-reduced-motion: reduce)").matches
let last, isShown, cameFromGrid

const grid = make("div", { class: "grid" })
const empty = make("div", { class: "empty" })
// In the header, or in the viewer, which hides the header.
const pauseButton = iconButton("pause", "Pause live pictures", () => {
  isPaused = !isPaused
  pauseButton.ariaPressed = String(isPaused)
  update()
}, { "aria-pressed": String(isPaused) })
const feed = new Feed(
  (camera, bitmap, ageMs) => tiles.get(camera)?.screen.draw(bitmap, ageMs),
  (camera, problem, isOpened) => {
    for (const one of camera ? [tiles.get(camera)] : tiles.values()) live.refuse(one?.screen, problem, isOpened)
  })

const live = {
  names: () => [...tiles.keys()],

  /** Goes to a camera, or back to the grid: by the browser's history, if the user came from there. */
  open(name) {
    if (name) go(`#live/${encodeURIComponent(name)}`, true)
    else if (cameFromGrid) history.back()
    else go("#live", true)
  },

  watch(name, isOn) {
    watched[isOn ? "add" : "delete"](name)
    announce(isOn ? `The camera ${name} is opened for as long as you look.` : `You do not watch ${name} any more.`)
    for (const screen of screensOf(name)) screen.say(null)
    update()
  },

  /** Shows why a camera gives no picture. One that was to be opened and is off was stopped by command. */
  refuse(screen, problem, isOpened) {
    if (!isOpened || !["camera-off", "stopping"].includes(problem.code)) screen?.refuse(problem)
    else endWatching([screen.name], "the camera was stopped")
  },

  async takeStill(screen) {
    if (screen.still.ariaBusy === "true") return
    screen.still.ariaBusy = "true"
    screen.say(null)
    try {
      const { stills } = await ask("POST", `${cameraPath(screen.name)}/stills`, {}, STILL_LIMIT_MS)
      tell(`A still of ${screen.name} is stored.`, make("a", { href: `#spool/${stills[0].id}` }, "Show it"))
    } catch (problem) {
      announce(`No still of ${screen.name}. ${problem.detail} ${problem.remedy ?? ""}`)
      screen.say({ ...problem, detail: `No still was taken. ${problem.detail}` })
    } finally {
      screen.still.ariaBusy = "false"
    }
  },

  width() {
    const side = (grid.firstElementChild?.clientWidth ?? 0) * devicePixelRatio
    return WIDTHS.find(width => width >= side) ?? WIDTHS.at(-1)
  },
}
const viewer = new CameraViewer(live, pauseButton)

const inView = new IntersectionObserver(entries => {
  for (const { target, isIntersecting } of entries) {
    const tile = tiles.get(target.dataset.camera)
    if (tile) tile.screen.isVisible = isIntersecting
  }
  update()
})

const screensOf = name => [tiles.get(name), viewer.isOpen && viewer.name === name && viewer]
  .filter(Boolean).map(one => one.screen)

/** Shows the last known status, and chooses for which cameras live pictures are requested. */
function update() {
  if (!last) return
  const isLost = connection.isLost
  const isWanted = isShown && !document.hidden && !isLost
  const now = name => ({
    status: last.cameras?.find(camera => camera.name === name), health: last.health, isLost,
    isWatched: watched.has(name), isPaused: isPaused && !watched.has(name),
  })
  grid.classList.toggle("lost", isLost)
  const shown = [...tiles.values()].filter(({ name, screen }) => {
    const isIn = isWanted && !viewer.isOpen && screen.isVisible
    screen.update({ ...now(name), isWanted: isIn })
    return isIn
  })
  if (viewer.isOpen) viewer.update({ ...now(viewer.name), isWanted })
  const open = shown.map(tile => tile.name).filter(name => watched.has(name) && allows("still", name))
  // While they are paused, each camera that runs has one picture.
  const cameras = shown.filter(({ name, screen }) => !isPaused || open.includes(name) || runs(screen.now.status))
  const isOnce = isPaused && !open.length
  feed.want({ cameras: cameras.map(tile => tile.name), open, width: live.width(), rate: RATE, isOnce })
}

function makeTile(name) {
  const screen = new Screen(name, live, id => `v1/frames/${id}/thumbnail?width=${live.width()}`)
  screen.isVisible = false
  const link = make("a", { class: "open", href: `#live/${encodeURIComponent(name)}`, "aria-label": `Open ${name}` })
  const strip = make("div", { class: "strip" }, make("h2", {}, name), screen.badges, screen.age)
  const actions = make("div", { class: "actions" }, screen.still, screen.watch)
  const element = make("article", { class: "tile well", "data-camera": name, "aria-label": name },
    screen.picture, link, make("div", { class: "foot" }, screen.message, strip), actions)
  inView.observe(element)
  return { name, screen, link, element }
}

function arrange(cameras) {
  const names = cameras.map(camera => camera.name)
  for (const name of live.names().filter(name => !names.includes(name))) {
    tiles.delete(name)
    watched.delete(name)
  }
  for (const name of names) if (!tiles.has(name)) tiles.set(name, makeTile(name))
  place(grid, [...tiles.values()].map(tile => tile.element))
}

/**
 * Chooses the columns: 1, 2 for up to four cameras, 3 for up to nine, for more the fewest with which all rows fit, as
 * long as tiles are wide enough. A grid that is a little too high for the window is made narrower.
 */
function fit() {
  const count = tiles.size
  const heightOf = columns => Math.ceil(count / columns) * (innerWidth / columns * 9 / 16 + GAP)
  const height = innerHeight - BAR
  let columns = Math.max(Math.min(Math.ceil(Math.sqrt(count)), 3, Math.floor(innerWidth / NARROW)), 1)
  while (count > 9 && columns < Math.floor(innerWidth / NARROWEST) && heightOf(columns) > height) columns += 1
  const share = height / heightOf(columns)
  grid.style.setProperty("--columns", columns)
  grid.style.maxWidth = share > LEAST_SHARE && (columns > 1 || count === 1) ? `${100 * share}%` : ""
}

function explain() {
  const problem = last?.problems.cameras
  const { title, detail, remedy } = problem ? { ...problem, title: "The cameras are not shown" }
    : last?.cameras ? NO_CAMERA : { title: "Loading…" }
  empty.hidden = last?.cameras?.length > 0 || problem?.code === "daemon-lost"
  fill(empty, make("h2", {}, title), detail && make("p", {}, detail), remedy && make("p", {}, remedy))
}

function endWatching(names, reason) {
  for (const name of names) {
    watched.delete(name)
    for (const screen of screensOf(name)) {
      screen.say({ kind: "", detail: `Watching ended when ${reason}.`, remedy: "“Watch” opens the camera again." })
    }
  }
  update()
}

document.addEventListener("visibilitychange",
  () => endWatching(document.hidden ? [...watched] : [], "this page was hidden"))

export const view = {
  start(element) {
    element.append(empty, grid, viewer.element)
    explain()
    addEventListener("resize", () => {
      fit()
      update()
    })
  },

  show({ id }) {
    const before = viewer.isOpen && viewer.name
    cameFromGrid = Boolean(id) && isShown && (cameFromGrid || !before)
    isShown = true
    if (!id) {
      viewer.close()
      find("tools").replaceChildren(pauseButton)
    } else if (id !== before) viewer.open(id, tiles.get(id)?.screen)
    grid.hidden = Boolean(id)
    update()
    if (before && !id) tiles.get(before)?.link.focus()
  },

  hide() {
    isShown = false
    viewer.close()
    find("tools").replaceChildren()
    update()
  },

  status(now) {
    last = now
    arrange(now.cameras ?? [])
    fit()
    explain()
    pauseButton.hidden = !tiles.size
    update()
  },

  event(event) {
    if (event.kind.startsWith("frame")) for (const screen of screensOf(event.camera)) screen.isAsked = false
    if (event.kind === "controls-changed" && viewer.isOpen && event.camera === viewer.name) {
      viewer.details.controls?.changed(event.controls)
    }
  },

  lost: update,
  found: update,
}
