// SPDX-License-Identifier: Apache-2.0
// The connection for events: all that the daemon keeps, then new ones.
import { problemAt } from "./api.js"
import { KINDS } from "./episodes.js"

const RETRY_MS = 2000
let source
let retry
let last = 0

/** Calls `hear` with each event, and `fail` with the problem that keeps events from coming, or null without one. */
export function openSource(hear, fail) {
  const path = `v1/events?after=${last}`
  const own = source = new EventSource(path)
  for (const kind of Object.keys(KINDS)) {
    own.addEventListener(kind, message => {
      const event = JSON.parse(message.data)
      last = Math.max(last, event.id)
      hear(event)
    })
  }
  own.onopen = () => fail(null)
  // It reconnects by itself, with its last event, unless the reply was an error.
  own.onerror = async () => {
    if (own.readyState !== EventSource.CLOSED) return
    const problem = await problemAt(path)
    if (source !== own) return
    fail(problem)
    retry = setTimeout(() => openSource(hear, fail), RETRY_MS)
  }
}

export function closeSource() {
  clearTimeout(retry)
  source?.close()
  source = null
}
