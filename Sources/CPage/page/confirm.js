// SPDX-License-Identifier: Apache-2.0
// A question before an action.
import { button, find, make } from "./dom.js"

/** True if the user agrees, after valid entries if `content` has fields. Escape means no. */
export function confirm(title, content, action, kind = "danger") {
  const dialog = find("confirm")
  const text = make("div", { id: "confirm-text" }, ...content)
  dialog.returnValue = ""
  dialog.replaceChildren(make("form", { method: "dialog" }, make("h2", { id: "confirm-title" }, title), text,
    make("div", { class: "buttons" }, button("Cancel", () => dialog.close("")), make("button", { value: "yes", class: kind }, action))))
  dialog.setAttribute("aria-describedby", "confirm-text")
  dialog.showModal()
  return new Promise(resolve => dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true }))
}
