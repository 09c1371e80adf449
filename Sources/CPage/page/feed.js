// SPDX-License-Identifier: Apache-2.0
// The one connection for the live pictures of all cameras that are in view.
import { Problem, problemOf, request } from "./api.js"

const [CALM_MS, FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [200, 1000, 16000]
// The daemon sends something at least every 30 s.
const SILENT_MS = 40000
// Of the header of a part, in characters.
const LONGEST_HEAD = 16384

export class Feed {
  /** `show` gets a camera, a bitmap and its age, `refuse` a camera, or null, a problem, and if it was to be opened. */
  constructor(show, refuse) { Object.assign(this, { show, refuse, path: null }) }

  /**
   * Sets which cameras to show, and which of them may be opened for it; none ends the connection. To be called again
   * from time to time. Another choice is requested when it has lasted for 200 ms. With `isOnce` each gives one picture.
   */
  want({ cameras, open = [], width, rate, isOnce = false }) {
    // A list keeps its commas, which are legible in logs.
    const list = names => names.map(encodeURIComponent).join(",")
    const query = [["camera", list(cameras)], ["open", list(open)], ["width", width], ["rate", rate]]
    const path = cameras.length
      ? `v1/stream.mjpg?${query.filter(([, value]) => value).map(pair => pair.join("=")).join("&")}` : null
    if (path === this.path && isOnce === this.isOnce) {
      // A connection may have broken without notice, as in a suspend.
      return path && !isOnce && Date.now() - this.heardAt > SILENT_MS && this.begin()
    }
    Object.assign(this, { path, open, isOnce, missing: new Set(cameras) })
    clearTimeout(this.timer)
    if (path) this.timer = setTimeout(() => this.begin(), CALM_MS)
    else this.stop?.abort()
  }

  end() { this.want({ cameras: [] }) }

  async begin() {
    this.heardAt = Date.now()
    this.stop?.abort()
    this.stop = new AbortController()
    const { open, stop: { signal } } = this
    let pause = FIRST_PAUSE_MS
    while (!signal.aborted) {
      try {
        const reply = await request(this.path, { signal })
        if (!reply.ok) throw await problemOf(reply)
        for await (const part of parts(reply.body)) {
          // The next part is read when this one is drawn: the daemon leaves out what a slow browser would miss.
          await this.take(part, signal, open)
          if (signal.aborted) return
          pause = FIRST_PAUSE_MS
        }
      } catch (problem) {
        if (signal.aborted) return
        // A lost connection shows in the status, which is asked for every 2 s.
        if (problem instanceof Problem && problem.code !== "daemon-lost") this.refuse(null, problem)
      }
      await new Promise(done => setTimeout(done, pause))
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
    }
  }

  async take({ headers, content }, signal, open) {
    this.heardAt = Date.now()
    const camera = headers["tintype-camera"]
    if (headers["content-type"]?.startsWith("application/problem+json")) {
      const problem = new Problem(JSON.parse(await content.text()))
      if (signal.aborted) return
      this.refuse(camera, problem, open.includes(camera))
    } else {
      const bitmap = await createImageBitmap(content).catch(() => null)
      if (bitmap && !signal.aborted) this.show(camera, bitmap, Number(headers["tintype-age-ms"] ?? 0))
      // Its memory does not wait for a collection.
      bitmap?.close()
      if (!bitmap || signal.aborted) return
    }
    this.missing.delete(camera)
    if (this.isOnce && !this.missing.size) this.stop.abort()
  }
}

/** The parts of a multipart reply (RFC 2046) with lengths: `headers` by lower-case names, and `content`, a Blob. */
async function* parts(stream) {
  const reader = stream.getReader()
  let head = ""
  let part
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      for (let at = 0; at < value.length;) {
        if (!part) {
          head += String.fromCharCode(value[at])
          at += 1
          if (head.length > LONGEST_HEAD) throw new Error("The header of a part has no end.")
          if (!head.endsWith("\r\n\r\n")) continue
          [part, head] = [beginPart(head), ""]
        } else {
          const piece = value.subarray(at, at + part.left)
          part.pieces.push(piece)
          part.left -= piece.length
          at += piece.length
        }
        if (part.left > 0) continue
        yield { headers: part.headers, content: new Blob(part.pieces) }
        part = undefined
      }
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}

function beginPart(head) {
  const headers = Object.fromEntries(
    [...head.matchAll(/^([^:\n]+):(.*)$/gm)].map(([, name, value]) => [name.toLowerCase(), value.trim()]))
  const left = Number(headers["content-length"] ?? NaN)
  if (!Number.isInteger(left)) throw new Error("A part has no length.")
  return { headers, left, pieces: [] }
}
