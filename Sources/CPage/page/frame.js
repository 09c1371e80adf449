// SPDX-License-Identifier: Apache-2.0
// One frame, large, with its record.
import { allows, refusal } from "./access.js"
import { ask, notice } from "./api.js"
import { confirm } from "./confirm.js"
import { announce, button, find, make, terms } from "./dom.js"
import { bytes, fullMoment, milliseconds, moment, pixels } from "./format.js"
import { framesChanged } from "./frames.js"

let record
let around

/** Opens a frame, or a still that was just taken. `neighbours` are the frames before and after it in the grid. */
export function openFrame(frame, neighbours) {
  record = frame
  around = neighbours
  const dialog = find("frame")
  show()
  if (!dialog.open) dialog.showModal()
}

const words = value => value === undefined ? null : value ? "yes" : "no"

function rows(frame) {
  const skipped = Object.entries(frame.skipped ?? {}).map(([reason, number]) => `${number} ${reason}`).join(", ")
  const phases = Object.entries(frame.phasesMs ?? {}).map(([name, ms]) => `${name} ${milliseconds(ms)}`).join(", ")
  return terms([
    ["Captured", fullMoment(frame.capturedAt)], ["In UTC", frame.capturedAt],
    ["Age at the reply", milliseconds(frame.ageMs)], ["Waited", milliseconds(frame.waitedMs)],
    ["Phases", phases], ["Skipped", skipped],
    ["Verdict", frame.verdict ?? "not known"], ["Faults", frame.faults?.join(", ")], ["Appearance", frame.appearance?.join(", ")],
    ["Settled", words(frame.settled) ?? "not examined"],
    ["Size", `${pixels(frame)}, ${bytes(frame.bytes)}`], ["Stored", frame.lost ? "lost: the file is missing" : frame.stored],
    ["Pinned", words(frame.pinned)], ["Source", frame.source], ["Sequence", frame.sequence],
    ["Timestamp source", frame.timestampSource], ["Spool", frame.spool], ["Path", frame.path],
    ["SHA-256", frame.sha256], ["Id", frame.id],
  ])
}

function show(problem) {
  const { id, camera, capturedAt, width, height } = record
  const dialog = find("frame")
  const path = `v1/frames/${id}/image`
  const mayControl = allows("control", camera)
  const name = `${camera}, ${moment(capturedAt)}`
  const focused = dialog.contains(document.activeElement) ? document.activeElement.textContent : ""
  dialog.replaceChildren(
    make("div", { class: "head" }, make("h2", { id: "frame-title" }, name),
      around && neighbour("Newer", around.newer), around && neighbour("Older", around.older), button("Close", close)),
    make("div", { class: "large" },
      make("img", { src: path, alt: `Frame of ${name}`, width, height, error: () => failImage(path) }),
      make("div", {},
        make("div", { role: "alert" }, problem && notice(problem)),
        make("div", { class: "buttons" },
          mayControl && button(record.pinned ? "Unpin" : "Pin", () => edit({ pinned: !record.pinned })),
          allows("admin", camera) && button("Delete…", remove, { class: "danger" }),
          make("a", { href: path, download: `${camera}-${capturedAt.replaceAll(":", "")}.jpg` }, "Save the picture")),
        make("p", { class: "note" }, refusal("control", camera) ?? refusal("admin", camera)),
        tags(mayControl),
        make("dl", { class: "facts" }, ...rows(record)))))
  // All buttons are new elements: focus goes to the one that was pressed. Its text may be the opposite.
  const same = { Pin: "Unpin", Unpin: "Pin" }[focused] ?? focused
  const again = [...dialog.querySelectorAll("button:not(:disabled)")].find(one => same && one.textContent === same)
  if (dialog.open) (again ?? dialog.querySelector("button:not(:disabled)")).focus()
}

function neighbour(text, frame) {
  return button(text, () => openFrame(frame, around.of(frame.id)), { disabled: !frame })
}

function tags(mayControl) {
  const list = (record.tags ?? []).map(tag => make("li", {}, tag, mayControl &&
    button("Remove", () => edit({ removeTags: [tag] }), { "aria-label": `Remove the tag ${tag}` })))
  const field = make("input", {
    id: "new-tag", pattern: "[A-Za-z0-9._\\-]{1,64}", title: "At most 64 letters, digits, dots, underscores and hyphens",
    required: true, autocomplete: "off", spellcheck: "false",
  })
  const add = event => {
    event.preventDefault()
    edit({ addTags: [field.value] })
  }
  return make("div", { class: "tags" },
    list.length ? make("ul", { "aria-label": "Tags" }, ...list) : mayControl ? null : make("p", { class: "note" }, "No tags."),
    mayControl && make("form", { submit: add }, make("label", { for: "new-tag" }, "Tag"), field, make("button", {}, "Add tag")))
}

async function failImage(path) {
  const shown = record.id
  try {
    await ask("GET", path)
  } catch (problem) {
    if (record.id === shown && problem.status) show(problem)
  }
}

async function edit(change) {
  try {
    record = { ...record, ...await ask("PATCH", `v1/frames/${record.id}`, change) }
    const pin = record.pinned ? "The frame is pinned: retention keeps it." : "The frame is not pinned any more."
    announce("pinned" in change ? pin : "The tags are changed.")
    show()
    framesChanged("edited")
  } catch (problem) {
    show(problem)
  }
}

async function remove() {
  const { id, camera, pinned, capturedAt } = record
  const what = `The frame of ${camera}, ${fullMoment(capturedAt)}, will be deleted from the disk. This cannot be undone.`
  if (!await confirm("Delete this frame?", what + (pinned ? " It is pinned." : ""), "Delete frame")) return
  try {
    await ask("DELETE", `v1/frames/${id}`, undefined, 30000)
    close()
    announce("The frame is deleted.")
    framesChanged("removed")
  } catch (problem) {
    show(problem)
  }
}

const close = () => find("frame").close()
