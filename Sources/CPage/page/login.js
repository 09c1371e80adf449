// SPDX-License-Identifier: Apache-2.0
// Signing in and out.
import { ask, notice } from "./api.js"
import { find, icon, tell } from "./dom.js"

/** Shows the form for a token, and first tries `linked` if there is one; when one is accepted, the page starts anew. */
export function askForToken(linked) {
  const field = find("token")
  const form = find("login-form")
  find("login").hidden = false
  field.focus()
  form.onsubmit = async event => {
    event.preventDefault()
    try {
      await ask("POST", "v1/login", { token: field.value.trim() })
      field.value = ""
      location.reload()
    } catch (problem) {
      find("login-failure").replaceChildren(notice(problem))
      field.select()
    }
  }
  if (!linked) return
  field.value = linked
  form.requestSubmit()
}

/** Shows the name of the user, and “Sign out” for a token: beside each other, or in a menu in a narrow window. */
export function showAccount(access) {
  const account = find("account")
  const wide = matchMedia("(min-width: 840px)")
  account.hidden = false
  account.firstElementChild.replaceChildren(icon("user"))
  account.open = wide.matches
  wide.onchange = () => { account.open = wide.matches }
  account.addEventListener("focusout", event => {
    if (!wide.matches && !account.contains(event.relatedTarget)) account.open = false
  })
  const who = find("who")
  who.textContent = access.name
  who.title = access.via === "token" ? "You are signed in by this token." : "The daemon knows you as this user."
  const out = find("sign-out")
  out.hidden = access.via !== "token"
  out.onclick = async () => {
    try {
      await ask("POST", "v1/logout")
      location.reload()
    } catch (problem) {
      tell(`You are still signed in. ${problem.detail}`)
    }
  }
}
