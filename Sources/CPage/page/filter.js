// SPDX-License-Identifier: Apache-2.0
// The filter of frames.
import { find } from "/page/dom.js"

const value = id => find(id).value.trim()

/** The filter that the user has entered, as an object of the API. */
export function readFilter() {
  const moment = id => new Date(value(id)).toISOString()
  return {
    ...(value("filter-camera") && { camera: value("filter-camera") }),
    ...(value("filter-tag") && { tag: value("filter-tag") }),
    ...(value("filter-from") && { from: moment("filter-from") }),
    ...(value("filter-to") && { to: moment("filter-to") }),
    ...(value("filter-pinned") && { pinned: value("filter-pinned") === "yes" }),
    ...(value("filter-where") && { all: [value("filter-where")] }),
  }
}
