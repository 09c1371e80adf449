// SPDX-License-Identifier: Apache-2.0
// Signing in and out.
import { ask, notice } from "/page/api.js"
import { announce, find } from "/page/dom.js"

/** Shows the form for a token; `done` is called when the daemon has accepted one. */
export function askForToken(done) {
  const form = find("login-form")
  find("login").hidden = false
  find("token").focus()
  form.onsubmit = async event => {
    event.preventDefault()
    const field = find("token")
    try {
      await ask("POST", "/v1/login", { token: field.value.trim() })
      field.value = ""
      find("login-failure").replaceChildren()
      find("login").hidden = true
      announce("You are signed in.")
      done()
    } catch (problem) {
      find("login-failure").replaceChildren(notice(problem))
      field.select()
    }
  }
}

/** Shows the name of the user, and “Sign out” for a token; `done` is called when the session has ended. */
export function offerSignOut(access, done) {
  const who = find("who")
  who.hidden = false
  who.textContent = access.name
  who.title = access.via === "token" ? "You are signed in by this token." : "The daemon knows you as this user."
  const out = find("sign-out")
  out.hidden = access.via !== "token"
  out.onclick = async () => {
    try {
      await ask("POST", "/v1/logout")
      done()
    } catch (problem) {
      announce(`You are still signed in. ${problem.detail}`)
      find("lost").replaceChildren(notice(problem))
    }
  }
}
