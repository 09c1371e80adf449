// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import tintyped

/// Tokens and webhook addresses at every wrong place of `hooks`, `access` and `uploads`.
struct ConfigurationSecretTests {
    private static let token = "tt_" + String(repeating: "Ab0-_", count: 8) + "xyz"
    private static let address = "https://h/x?key=Ab0"

    private static let places = [
        "hooks: SECRET", "hooks: [SECRET]", "hooks: {chat: SECRET}", "hooks: {SECRET: {on: gap, command: [/a]}}",
        "hooks: {SECRET: 1, SECRET: 2}", "hooks: {chat: {SECRET: 1}}", "hooks: {chat: {on: SECRET, command: [/a]}}",
        "hooks: {chat: {on: [gap, SECRET], command: [/a]}}", "hooks: {chat: {on: gap, command: SECRET}}",
        "hooks: {chat: {on: gap, command: [SECRET]}}", "hooks: {chat: {on: gap, command: {SECRET: 1}}}",
        "hooks: {chat: {on: gap, webhook: [SECRET]}}", "hooks: {chat: {on: gap, command: [/a], cameras: SECRET}}",
        "hooks: {chat: {on: gap, command: [/a], timeLimit: SECRET}}",
        "hooks: {chat: {on: gap, command: [/a], retries: SECRET}}",
        "access: SECRET", "access: {SECRET: 1}", "access: [SECRET]", "access: [[SECRET]]", "access: [{SECRET: 1}]",
        "access: [{token: SECRET, name: a, role: view}]", "access: [{token: a, name: SECRET, role: view}]",
        "access: [{user: a, role: SECRET}]", "access: [{user: a, role: view, cameras: [SECRET]}]",
        "access: [{user: a, frames: SECRET}]", "access: [{SECRET: 1, SECRET: 2}]",
        "hooks: {chat: {webhook: \u{1}SECRET}}",
        "uploads: SECRET", "uploads: {SECRET: {to: 1}}", "uploads: {a: {SECRET: 1}}", "uploads: {a: {to: [SECRET]}}",
        "uploads: {a: {to: \"http://a\", headers: SECRET}}", "uploads: {a: {headers: {SECRET: {b: 1}}, to: 1}}",
        "uploads: {a: {to: \"http://a\", headers: {A: [SECRET]}}}",
        "uploads: {a: {to: \"s3:{id}\", where: SECRET}}", "uploads: {a: {to: \"s3:{id}\", spool: SECRET}}",
    ]

    @Test(arguments: [token, address], places)
    func `no message quotes a token or a webhook address`(secret: String, place: String) {
        let text = place.replacing("SECRET", with: "\"\(secret)\"")
        let error = #expect(throws: ConfigurationError.self) { try ConfigurationReader.read(text, file: "f") }
        for fault in error?.faults ?? [] {
            #expect(!"\(fault) \(fault.key ?? "")".contains(secret), "\(fault)")
            #expect(fault.description.hasPrefix("f:1:"), "\(fault)")
        }
    }

    @Test(arguments: ["user", "group"])
    func `a token is no name of an account, which would be logged`(key: String) {
        let text = "access: [{\(key): \(Self.token), role: view}]"
        let error = #expect(throws: ConfigurationError.self) { try ConfigurationReader.read(text, file: "f") }
        #expect(error?.description.contains("access[0].\(key): The value is not the name") == true)
        #expect(error?.description.contains(Self.token) == false)
    }
}
