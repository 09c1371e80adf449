// SPDX-License-Identifier: Apache-2.0
// The filter of frames.
import { find } from "./dom.js"

const value = id => find(id).value.trim()

/** The filter that the user has entered, as a text of the API; empty for all frames. */
export function readFilter() {
  const moment = id => new Date(value(id)).toISOString()
  const quoted = id => `"${value(id)}"`
  return [
    // First, since an error counts its characters.
    value("filter-where"),
    value("filter-camera") && `camera:${quoted("filter-camera")}`,
    value("filter-tag") && `tag:${quoted("filter-tag")}`,
    value("filter-from") && `from:${moment("filter-from")}`,
    value("filter-to") && `to:${moment("filter-to")}`,
    value("filter-pinned") && `pinned:${value("filter-pinned")}`,
  ].filter(Boolean).join(", ")
}
