// SPDX-License-Identifier: Apache-2.0
// The roles of the user.
import { ask } from "./api.js"

const ROLES = ["view", "still", "control", "admin"]
const NEEDED = {
  still: "watch closed cameras, take stills and read controls", control: "set controls, and pin or tag frames",
  admin: "delete frames",
}
let access = { role: null }

export async function loadAccess() {
  access = await ask("GET", "v1/access")
  return access
}

/** The role for a camera: the larger of the role for all cameras and the one for this camera. */
function roleFor(camera) {
  const own = access.cameras?.find(one => one.camera === camera)?.role
  return ROLES[Math.max(ROLES.indexOf(access.role), ROLES.indexOf(own))] ?? null
}

/** True if the role for a camera, or for all of them without one, is enough. */
export const allows = (role, camera) => ROLES.indexOf(roleFor(camera)) >= ROLES.indexOf(role)

/** The reason why an action is not offered for a camera, in two sentences; null if it is offered. */
export function refusal(role, camera) {
  if (allows(role, camera)) return null
  return `Your role for ${camera} is “${roleFor(camera) ?? "none"}”. The role “${role}” is needed to ${NEEDED[role]}.`
}
