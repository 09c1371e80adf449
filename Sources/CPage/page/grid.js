// SPDX-License-Identifier: Apache-2.0
// Frames as thumbnails, with a selection of many.
import { clockTime, dayName, duration, fullMoment, icon, make, place } from "./dom.js"
import { midnight } from "./filter.js"

const NEAR = "200px"

/** What there is to say of a frame beside camera and time, in words. */
export function marksOf({ kind, durationMs, lost, verdict, appearance = [], tags = [] }) {
  const fault = !["intact", "sound"].includes(verdict) && verdict
  return [kind && `${kind}, ${duration(durationMs)}`, lost && "lost", fault, ...appearance, ...tags].filter(Boolean)
}

export class Grid {
  /** `open` gets a frame, `selectionChanged` and `remove` nothing. */
  constructor(open, selectionChanged, remove) {
    Object.assign(this, { open, selectionChanged, remove, frames: [], items: new Map(), selected: new Set() })
    this.watcher = new IntersectionObserver(entries => entries.forEach(entry => this.load(entry)), { rootMargin: NEAR })
    this.element = make("div", {
      class: "frames", role: "listbox", "aria-multiselectable": "true", "aria-label": "Frames, the newest first",
      click: event => this.click(event), keydown: event => this.press(event),
      focusin: ({ target }) => this.setCurrent(target.closest("[data-frame]")?.dataset.frame ?? this.current),
    })
  }

  /** Shows these frames, the newest first. Elements of frames that were shown before stay. */
  show(frames) {
    this.frames = frames
    const before = this.items
    this.items = new Map(frames.map(frame => [frame.id, before.get(frame.id) ?? this.item(frame)]))
    for (const [id, item] of before) if (!this.items.has(id)) this.watcher.unobserve(item)
    let day
    for (const frame of frames) {
      const isFirst = day !== midnight(frame.capturedAt)
      day = midnight(frame.capturedAt)
      this.update(this.items.get(frame.id), frame, isFirst ? dayName(day) : "")
    }
    place(this.element, [...this.items.values()])
    this.setCurrent(this.items.has(this.current) ? this.current : frames[0]?.id)
    this.element.classList.toggle("choosing", this.selected.size > 0)
  }

  item({ id, camera, capturedAt, lost }) {
    const item = make("div", { role: "option", class: "well", tabindex: "-1", "data-frame": id },
      lost ? make("span", { class: "none" }, "The file is missing") : make("img", { alt: "No picture", decoding: "async", draggable: "false" }),
      make("span", { class: "check" }, icon("check")), make("span", { class: "marks" }),
      make("span", { class: "strip" }, make("span", { class: "name" }, make("span", { class: "day" }), camera),
        make("time", { datetime: capturedAt, title: fullMoment(capturedAt) }, clockTime(capturedAt))))
    this.watcher.observe(item)
    return item
  }

  /** Asks for a thumbnail when it comes near; one that is passed before it has come is not waited for. */
  load({ target, isIntersecting }) {
    const image = target.querySelector("img")
    if (!image) return
    if (isIntersecting && !image.naturalWidth) image.src = `v1/frames/${target.dataset.frame}/thumbnail`
    else if (!isIntersecting && !image.complete) image.removeAttribute("src")
  }

  retry() {
    this.watcher.disconnect()
    for (const item of this.items.values()) this.watcher.observe(item)
  }

  update(item, frame, day) {
    const marks = marksOf(frame)
    const isSelected = this.selected.has(frame.id)
    const state = JSON.stringify([marks, frame.pinned, day, isSelected])
    if (item.dataset.state === state) return
    item.dataset.state = state
    item.ariaSelected = String(isSelected)
    item.ariaLabel = [frame.camera, fullMoment(frame.capturedAt), frame.pinned && "pinned", ...marks].filter(Boolean).join(", ")
    item.querySelector(".day").textContent = day
    item.querySelector(".marks").replaceChildren(...frame.pinned ? [icon("pin")] : [], ...frame.kind ? [icon("play")] : [],
      ...marks.map(mark => make("span", {}, mark)))
  }

  /** Removes frames; returns how many of them were shown. */
  drop(ids) {
    const before = this.frames.length
    for (const id of ids) this.selected.delete(id)
    this.show(this.frames.filter(frame => !ids.has(frame.id)))
    return before - this.frames.length
  }

  setCurrent(id) {
    for (const [one, index] of [[this.current, -1], [id, 0]]) if (this.items.has(one)) this.items.get(one).tabIndex = index
    this.current = id
  }

  /** Moves the focus to a frame; if it is not shown, to the one that had it last. */
  focus(id) {
    if (this.items.has(id)) this.setCurrent(id)
    this.items.get(this.current)?.focus()
  }

  select(frames) {
    this.selected = new Set(frames.map(frame => frame.id))
    this.show(this.frames)
    this.selectionChanged()
  }

  indexOf(id) { return this.frames.findIndex(frame => frame.id === id) }

  /** Adds all frames from the one that was selected last to this one to the selection. */
  extend(id) {
    const [from, to] = [this.items.has(this.anchor) ? this.anchor : id, id].map(one => this.indexOf(one)).sort((a, b) => a - b)
    this.select(this.frames.filter((frame, at) => this.selected.has(frame.id) || at >= from && at <= to))
  }

  toggle(id) {
    this.anchor = id
    this.select(this.frames.filter(frame => this.selected.has(frame.id) !== (frame.id === id)))
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
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns, Home: -at, End: this.frames.length - 1 - at }
    if (event.key in steps) {
      if (event.shiftKey && !this.selected.size) this.anchor = this.current
      this.focus(this.frames[at + steps[event.key]]?.id)
      if (event.shiftKey) this.extend(this.current)
    } else if (event.key === " ") event.shiftKey ? this.extend(this.current) : this.toggle(this.current)
    else if (event.key === "Enter") this.open(this.frames[at])
    else if (event.key === "Escape" && this.selected.size) this.select([])
    else if (event.key === "a" && (event.ctrlKey || event.metaKey)) this.select(this.frames)
    else if (event.key === "Delete" && this.selected.size) this.remove()
    else return
    event.preventDefault()
  }
}
