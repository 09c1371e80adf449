// SPDX-License-Identifier: Apache-2.0
// The tiles of all cameras.
import { ask, notice } from "/page/api.js"
import { find, fill, make, setOptions } from "/page/dom.js"
import { countPages } from "/page/places.js"
import { Tile } from "/page/tile.js"

const tiles = new Map()
// Where the system asks for reduced motion, the user starts live pictures by the button.
let isPaused = matchMedia("(prefers-reduced-motion: reduce)").matches

export async function loadCameras() {
  try {
    const [{ cameras }] = await Promise.all([ask("GET", "/v1/cameras"), countPages()])
    show(cameras)
  } catch (problem) {
    if (problem.code === "daemon-lost") return
    fill(find("cameras-failure"), notice(problem))
  }
}

function show(cameras) {
  const names = cameras.map(camera => camera.name)
  for (const [name, tile] of tiles) {
    if (names.includes(name)) continue
    tile.remove()
    tiles.delete(name)
  }
  for (const status of cameras) {
    if (!tiles.has(status.name)) tiles.set(status.name, new Tile(status.name))
    const tile = tiles.get(status.name)
    if (!tile.element.isConnected) find("tiles").append(tile.element)
    tile.update(status, isPaused)
  }
  fill(find("cameras-failure"), ...(names.length ? [] : [make("p", { class: "notice" },
    "There is no camera. Connect one, or check “cameras” in the daemon's configuration, and your role.")]))
  for (const id of ["filter-camera", "event-camera"]) setOptions(find(id), names)
}

/** Shows that the status of the cameras is not known. */
export function loseCameras() {
  for (const tile of tiles.values()) tile.update(null, isPaused)
}

/** Removes all tiles and ends their pictures. */
export function clearCameras() {
  for (const tile of tiles.values()) tile.remove()
  tiles.clear()
}

/** Chooses again which pictures are live, as after the page has become visible. */
export function chooseLive() {
  for (const tile of tiles.values()) tile.picture.choose()
}

export function cameraEvent(event) {
  const tile = tiles.get(event.camera)
  if (event.kind === "frame-stored") tile?.picture.forgetStored()
  if (event.kind === "frames-removed") for (const one of tiles.values()) one.picture.forgetStored()
  if (event.kind === "controls-changed") tile?.controls?.changed(event.controls)
}

export function offerPause() {
  const button = find("pause-live")
  button.ariaPressed = String(isPaused)
  button.onclick = () => {
    isPaused = !isPaused
    button.ariaPressed = String(isPaused)
    loadCameras()
  }
}
