// SPDX-License-Identifier: Apache-2.0
// Frames as thumbnails, of which many can be selected.
import { icon, make } from "./dom.js"
import { clockTime, dayName, fullMoment } from "./format.js"
import { midnight } from "./filter.js"

const NEAR = "200px"

/** What there is to say of a frame beside camera and time, in words. */
export function marksOf(frame) {
  const verdict = ["intact", "sound"].includes(frame.verdict) ? null : frame.verdict
  return [frame.lost && "lost", verdict, ...(frame.appearance ?? []), ...(frame.tags ?? [])].filter(Boolean)
}

export class Grid {
  /** `open` gets a frame, `selectionChanged` and `remove` nothing. */
  constructor(open, selectionChanged, remove) {
    Object.assign(this, { open, selectionChanged, remove, frames: [], items: new Map(), selected: new Map() })
    const seen = entries => { for (const { target, isIntersecting } of entries) this.near(target, isIntersecting) }
    this.watcher = new IntersectionObserver(seen, { rootMargin: NEAR })
    this.element = make("div", {
      class: "frames", role: "listbox", "aria-multiselectable": "true", "aria-label": "Frames, the newest first",
      click: event => this.click(event), keydown: event => this.press(event),
      focusin: ({ target }) => this.setCurrent(target.closest("[data-frame]")?.dataset.frame ?? this.current),
    })
  }

  /** Shows these frames, the newest first. Elements of frames that were shown before stay. */
  show(frames) {
    this.frames = frames
    const ids = new Set(frames.map(frame => frame.id))
    for (const id of this.items.keys()) if (!ids.has(id)) this.forget(id)
    let day
    frames.forEach((frame, index) => {
      if (!this.items.has(frame.id)) this.items.set(frame.id, this.item(frame))
      const item = this.items.get(frame.id)
      const own = midnight(frame.capturedAt)
      this.update(item, frame, own === day ? "" : dayName(own))
      day = own
      if (this.element.children[index] !== item) this.element.insertBefore(item, this.element.children[index] ?? null)
    })
    this.setCurrent(ids.has(this.current) ? this.current : frames[0]?.id)
    this.element.classList.toggle("choosing", this.selected.size > 0)
  }

  item(frame) {
    const none = text => make("span", { class: "none" }, text)
    const image = frame.lost ? none("The file is missing") : make("img", {
      alt: "", decoding: "async", draggable: "false", error: event => event.target.replaceWith(none("No picture")),
    })
    const item = make("div", { role: "option", class: "well", tabindex: "-1", "data-frame": frame.id }, image,
      make("span", { class: "check" }, icon("check")), make("span", { class: "marks" }),
      make("span", { class: "strip" }, make("span", { class: "name" }, make("span", { class: "day" }), frame.camera),
        make("time", { datetime: frame.capturedAt, title: fullMoment(frame.capturedAt) }, clockTime(frame.capturedAt))))
    this.watcher.observe(item)
    return item
  }

  /** Asks for a thumbnail when it comes near; one that is passed before it has come is not waited for. */
  near(item, isNear) {
    const image = item.querySelector("img")
    if (image && isNear) image.src ||= `v1/frames/${item.dataset.frame}/thumbnail`
    else if (image && !image.complete) image.removeAttribute("src")
  }

  update(item, frame, day) {
    const marks = marksOf(frame)
    const state = JSON.stringify([marks, frame.pinned, day, this.selected.has(frame.id)])
    if (item.dataset.state === state) return
    item.dataset.state = state
    item.ariaSelected = String(this.selected.has(frame.id))
    item.ariaLabel = [frame.camera, fullMoment(frame.capturedAt), frame.pinned && "pinned", ...marks].filter(Boolean).join(", ")
    item.querySelector(".day").textContent = day
    item.querySelector(".marks").replaceChildren(...frame.pinned ? [icon("pin")] : [], ...marks.map(mark => make("span", {}, mark)))
  }

  forget(id) {
    this.watcher.unobserve(this.items.get(id))
    this.items.get(id).remove()
    this.items.delete(id)
  }

  /** Asks again for the pictures that did not come. */
  retry() {
    for (const { id, lost } of this.frames) if (!lost && this.items.get(id).querySelector(".none")) this.forget(id)
    this.show(this.frames)
  }

  /** Changes the records of frames, also of selected ones that are not shown. */
  edit(ids, change) {
    for (const [id, frame] of this.selected) if (ids.has(id)) this.selected.set(id, change(frame))
    this.show(this.frames.map(frame => ids.has(frame.id) ? change(frame) : frame))
  }

  /** Removes frames; returns how many of them were shown. */
  drop(ids) {
    const before = this.frames.length
    for (const id of ids) this.selected.delete(id)
    this.show(this.frames.filter(frame => !ids.has(frame.id)))
    return before - this.frames.length
  }

  setCurrent(id) {
    const before = this.items.get(this.current)
    if (before) before.tabIndex = -1
    this.current = id
    if (this.items.has(id)) this.items.get(id).tabIndex = 0
  }

  /** Moves the focus to a frame; if it is not shown, to the one that had it last. */
  focus(id) {
    if (this.items.has(id)) this.setCurrent(id)
    this.items.get(this.current)?.focus()
  }

  indexOf(id) {
    return this.frames.findIndex(frame => frame.id === id)
  }

  select(frames) {
    this.selected = new Map(frames.map(frame => [frame.id, frame]))
    this.changed()
  }

  changed() {
    this.show(this.frames)
    this.selectionChanged()
  }

  /** Selects all frames from the one that was selected last to this one. */
  extend(id) {
    const to = this.indexOf(id)
    const anchor = this.indexOf(this.anchor)
    const from = anchor < 0 ? to : anchor
    for (const frame of this.frames.slice(Math.min(from, to), Math.max(from, to) + 1)) this.selected.set(frame.id, frame)
    this.changed()
  }

  toggle(id) {
    this.anchor = id
    if (!this.selected.delete(id)) this.selected.set(id, this.frames[this.indexOf(id)])
    this.changed()
  }

  click(event) {
    const id = event.target.closest("[data-frame]")?.dataset.frame
    if (!id) return
    if (event.shiftKey) this.extend(id)
    else if (this.selected.size || event.ctrlKey || event.metaKey || event.target.closest(".check")) this.toggle(id)
    else this.open(this.frames[this.indexOf(id)])
  }

  press(event) {
    const at = this.indexOf(this.current)
    if (at < 0 || event.altKey) return
    const columns = getComputedStyle(this.element).gridTemplateColumns.split(" ").length
    const last = this.frames.length - 1
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, ArrowUp: at - columns, ArrowDown: at + columns, Home: 0, End: last }[event.key]
    const isCommand = event.ctrlKey || event.metaKey
    if (to !== undefined) {
      if (event.shiftKey && !this.selected.size) this.anchor = this.current
      if (this.frames[to]) this.focus(this.frames[to].id)
      if (event.shiftKey) this.extend(this.current)
    } else if (event.key === " ") event.shiftKey ? this.extend(this.current) : this.toggle(this.current)
    else if (event.key === "Enter") this.open(this.frames[at])
    else if (event.key === "Escape" && this.selected.size) this.select([])
    else if (event.key === "a" && isCommand) this.select(this.frames)
    else if (event.key === "Delete" && this.selected.size) this.remove()
    else return
    event.preventDefault()
  }
}
