// SPDX-License-Identifier: Apache-2.0
// Reader of a multipart reply (RFC 2046) whose parts have a Content-Length.

const LONGEST_HEAD = 16384

/** Yields each part: its `headers` with names in lower case, and its `content`, a Blob of the pieces as they came. */
export async function* parts(stream) {
  const reader = stream.getReader()
  let head = ""
  let part
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      let at = 0
      while (at < value.length) {
        if (!part) {
          head += String.fromCharCode(value[at])
          at += 1
          if (head.endsWith("\r\n\r\n")) [part, head] = [begin(head), ""]
          else if (head.length > LONGEST_HEAD) throw new Error("The header of a part has no end.")
          if (part?.left !== 0) continue
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

function begin(head) {
  const headers = {}
  for (const line of head.split("\r\n")) {
    const colon = line.indexOf(":")
    if (colon > 0) headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim()
  }
  const left = Number(headers["content-length"] ?? NaN)
  if (!Number.isInteger(left)) throw new Error("A part has no length.")
  return { headers, left, pieces: [] }
}
