// SPDX-License-Identifier: Apache-2.0
// Times, ages and numbers as texts.
import { make } from "./dom.js"

const clock = new Intl.DateTimeFormat(undefined, {
  hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23",
})
const day = new Intl.DateTimeFormat(undefined, { year: "numeric", month: "short", day: "numeric" })
const thisYear = new Intl.DateTimeFormat(undefined, { weekday: "short", day: "numeric", month: "short" })
const offset = new Intl.DateTimeFormat("en", { timeZoneName: "longOffset" })

/** The time zone of this browser at a moment, as in Europe/Berlin, UTC+01:00. */
function zone(date = new Date()) {
  const name = offset.formatToParts(date).find(part => part.type === "timeZoneName").value.replace("GMT", "UTC")
  const place = offset.resolvedOptions().timeZone
  return place === "UTC" ? place : `${place}, ${name}`
}

/** A local day; the year is left out if it is this one. */
export function dayName(time) {
  const date = new Date(time)
  return (date.getFullYear() === new Date().getFullYear() ? thisYear : day).format(date)
}

/** The time of a moment in its day. */
export const clockTime = text => clock.format(new Date(text))

/** A moment in local time; the day is left out if it is today. */
export function moment(text) {
  const date = new Date(text)
  const isToday = day.format(date) === day.format(new Date())
  return isToday ? clock.format(date) : `${day.format(date)}, ${clock.format(date)}`
}

export const fullMoment = text => `${day.format(new Date(text))}, ${clockTime(text)} (${zone(new Date(text))})`

export const timeOf = text => make("time", { datetime: text, title: fullMoment(text) }, moment(text))

/** A duration, as in 0.3 s, 12 s, 5 min, 3 h, 2 d. */
export function duration(ms) {
  const seconds = Math.max(ms, 0) / 1000
  if (seconds < 0.05) return "under 0.1 s"
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`
  if (seconds < 120) return `${Math.round(seconds)} s`
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`
  return seconds < 172800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86400)} d`
}

/** A short duration with a tenth of a millisecond. */
export const milliseconds = ms => ms == null ? null : `${ms < 100 ? ms.toFixed(1) : Math.round(ms)} ms`

export function bytes(count) {
  if (count < 1000) return `${count} B`
  const power = Math.min(Math.floor(Math.log10(count) / 3), 4)
  return `${(count / 1000 ** power).toFixed(1)} ${["", "kB", "MB", "GB", "TB"][power]}`
}

export const count = (number, noun) => `${number.toLocaleString()} ${noun}${number === 1 ? "" : "s"}`

export const pixels = ({ width, height }) => `${width} × ${height}`

/** A capture format, as in YUYV 640 × 360, 30 fps. */
export function format(value) {
  if (!value) return null
  const rate = value.rate ?? (value.interval && value.interval.denominator / value.interval.numerator)
  return `${value.pixelFormat} ${pixels(value)}${rate ? `, ${Number(rate.toFixed(2))} fps` : ""}`
}

export const sentence = word => word.charAt(0).toUpperCase() + word.slice(1)

/** The value of a control as text. */
export const valueText = value => value === true ? "on" : value === false ? "off" : String(value)
