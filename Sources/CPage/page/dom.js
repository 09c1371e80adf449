// SPDX-License-Identifier: Apache-2.0
// Making and changing elements, and announcements for screen readers.

export const find = id => document.getElementById(id)

/** A new element. A property whose value is a function listens to an event; the others are attributes, without null and false. */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === "function") element.addEventListener(name, value)
    else if (value != null && value !== false) element.setAttribute(name, value === true ? "" : value)
  }
  element.append(...children.filter(child => child != null && child !== false))
  return element
}

export const button = (text, click, properties = {}) => make("button", { type: "button", click, ...properties }, text)

/** The rows of a list of terms; rows without a value are left out. */
export function terms(rows) {
  return rows.filter(([, value]) => value != null && value !== "")
    .map(([term, value]) => make("div", {}, make("dt", {}, term), make("dd", {}, value)))
}

/** Replaces the children of an element only if their text has changed, so that focus and selection stay. */
export function fill(element, ...children) {
  const next = make("div", {}, ...children)
  if (element.innerHTML !== next.innerHTML) element.replaceChildren(...next.childNodes)
}

/** Changes a text only if it differs, so that it is not announced again. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text
}

/** Has screen readers announce the outcome of an action. */
export const announce = text => { find("outcome").textContent = text }

/** Replaces the options of a select after the first; the chosen one stays chosen. */
export function setOptions(select, names) {
  const old = [...select.options].slice(1).map(option => option.value)
  const all = select.value && !names.includes(select.value) ? [...names, select.value] : names
  if (old.join("\n") === all.join("\n")) return
  const chosen = select.value
  select.replaceChildren(select.options[0], ...all.map(name => make("option", { value: name }, name)))
  select.value = chosen
}
