// SPDX-License-Identifier: Apache-2.0
// The one connection for the live pictures of all cameras that are in view.
import { connection, Problem, problemOf } from "./api.js"
import { parts } from "./parts.js"

const CALM_MS = 200
const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 16000
// The daemon sends something at least every 30 s.
const SILENT_MS = 40000

export class Feed {
  /**
   * Calls `show` with a camera, a bitmap and its age, and `refuse` with a camera, or null for all, a problem, and whether
   * the camera was to be opened.
   */
  constructor(show, refuse) {
    Object.assign(this, { show, refuse, path: null })
  }

  /**
   * Sets which cameras to show, and which of them may be opened for it; none ends the connection. To be called again from
   * time to time. Another choice is requested when it has lasted for 200 ms. With `isOnce` each camera gives one picture.
   */
  want({ cameras, open = [], width, rate, isOnce = false }) {
    // A list keeps its commas, which are legible in logs.
    const list = names => names.map(encodeURIComponent).join(",")
    const query = [["camera", list(cameras)], ["open", list(open)], ["width", width], ["rate", rate]]
    const path = cameras.length
      ? `v1/stream.mjpg?${query.filter(([, value]) => value).map(pair => pair.join("=")).join("&")}` : null
    if (path === this.path && isOnce === this.isOnce) {
      // A connection may have broken without notice, as in a suspend.
      if (path && !isOnce && Date.now() - this.heardAt > SILENT_MS) this.begin()
      return
    }
    Object.assign(this, { path, open, isOnce, missing: new Set(cameras) })
    clearTimeout(this.timer)
    if (path) this.timer = setTimeout(() => this.begin(), CALM_MS)
    else this.stop?.abort()
  }

  end() {
    this.want({ cameras: [] })
  }

  async begin() {
    this.heardAt = Date.now()
    this.stop?.abort()
    const stop = this.stop = new AbortController()
    const { signal } = stop
    const { open } = this
    let pause = FIRST_PAUSE_MS
    while (!signal.aborted) {
      try {
        const reply = await fetch(this.path, { headers: { "X-Requested-With": "tintype" }, cache: "no-store", signal })
        if (!reply.ok) throw await problemOf(reply)
        for await (const part of parts(reply.body)) {
          // The next part is read when this one is drawn: the daemon leaves out what a slow browser would miss.
          await this.take(part, signal, open)
          if (signal.aborted) return
          pause = FIRST_PAUSE_MS
        }
      } catch (problem) {
        if (signal.aborted) return
        if (problem.code === "unauthenticated") return connection.dispatchEvent(new Event("unauthenticated"))
        // A lost connection shows in the status, which is asked for every 2 s.
        if (problem instanceof Problem && problem.code !== "daemon-lost") this.refuse(null, problem)
      }
      await new Promise(done => {
        setTimeout(done, pause)
        signal.addEventListener("abort", done, { once: true })
      })
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
      if (!bitmap || signal.aborted) return
      this.show(camera, bitmap, Number(headers["tintype-age-ms"] ?? 0))
    }
    this.missing.delete(camera)
    if (this.isOnce && !this.missing.size) this.stop.abort()
  }
}
