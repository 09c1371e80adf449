// SPDX-License-Identifier: Apache-2.0
// The limit for streams at a time.
//
// Over HTTP/1.1 a browser has six connections to a host, for all of its windows together. Each page needs one for events, and
// one must be left for requests. Locks of the browser count pages and streams. Without locks only this page is counted: a
// browser has none where the page comes by plain HTTP from another machine.

const MOST = 3
const CONNECTIONS = 6
const taken = new Set()
let pages = 1

// It is held until the page is closed.
navigator.locks?.request("tintype-page", { mode: "shared" }, () => new Promise(() => {}))

/** Counts the open pages of this browser; call it again from time to time. */
export async function countPages() {
  if (!navigator.locks) return
  const { held } = await navigator.locks.query()
  pages = Math.max(held.filter(lock => lock.name === "tintype-page").length, 1)
}

export const most = () => Math.max(0, Math.min(MOST, CONNECTIONS - 1 - pages))

/** A place for a stream with its `number` and `release`, or null if there is none. */
export async function takePlace() {
  for (let number = 0; number < most(); number += 1) {
    if (taken.has(number)) continue
    taken.add(number)
    const release = await lock(number)
    if (release) return { number, release: () => { taken.delete(number); release() } }
    taken.delete(number)
  }
  return null
}

function lock(number) {
  if (!navigator.locks) return () => {}
  return new Promise(resolve => {
    navigator.locks.request(`tintype-live-${number}`, { ifAvailable: true }, held => {
      if (!held) return resolve(null)
      return new Promise(release => resolve(release))
    })
  })
}
