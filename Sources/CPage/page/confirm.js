// SPDX-License-Identifier: Apache-2.0
// The question before an action that cannot be undone.
import { button, find, make } from "./dom.js"

/** Whether the user agrees. Escape means no. */
export function confirm(title, text, action) {
  const dialog = find("confirm")
  const end = value => {
    dialog.returnValue = value
    dialog.close(value)
  }
  dialog.returnValue = ""
  dialog.replaceChildren(
    make("h2", { id: "confirm-title" }, title), make("p", { id: "confirm-text" }, text),
    make("div", { class: "buttons" }, button("Cancel", () => end("")), button(action, () => end("yes"), { class: "danger" })))
  dialog.setAttribute("aria-describedby", "confirm-text")
  dialog.showModal()
  return new Promise(resolve => dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true }))
}
