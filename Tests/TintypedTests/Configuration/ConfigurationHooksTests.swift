// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

@testable import tintyped

struct ConfigurationHooksTests {
    @Test func `reads hooks with defaults for missing keys`() throws {
        let text = """
            hooks:
              notify: {on: camera-lost, command: [/bin/notify, "a b", -q]}
              upload:
                on: [frame-stored, camera-back]
                cameras: [front, back]
                command: /bin/upload
                timeLimit: 5m
                for: 10m
                atOnce: 4
                retries: 0

            """
        let hooks = try ConfigurationReader.read(text, file: "a").hooks
        var notify = HookConfiguration(name: "notify", kinds: [.cameraLost], command: ["/bin/notify", "a b", "-q"])
        #expect(hooks.first == notify)
        (notify.timeLimit, notify.atOnce, notify.retries, notify.lasting) = (.seconds(30), 1, 3, nil)
        #expect(hooks.first == notify)
        var upload = HookConfiguration(name: "upload", kinds: [.frameStored, .cameraBack], command: ["/bin/upload"])
        (upload.cameras, upload.lasting) = (["front", "back"], .seconds(600))
        (upload.timeLimit, upload.atOnce, upload.retries) = (.seconds(300), 4, 0)
        #expect(hooks.count == 2 && hooks[1] == upload)
    }

    @Test(arguments: [
        ("a: {command: [/bin/true]}", "a:2:3: hooks.a: The key on is missing."),
        ("a: {on: lost, command: [/bin/true]}", "a:2:11: hooks.a.on: The value is no kind of event. Give some of"),
        ("a: {on: [gap, motion-begin], command: [/a]}", "is no kind of event. Did you mean motion-began?"),
        ("a: {on: gap}", "a:2:3: hooks.a: The key command is missing."),
        ("a: {on: gap, command: [/a], webhook: \"http://b\"}", "hooks.a.webhook: It cannot be combined with command."),
        ("a: {on: gap, webhook: \"ftp://b\"}", "hooks.a.webhook: The value is no address of http or https."),
        ("a: {on: gap, webhook: \"http:///b\"}", "hooks.a.webhook: "),
        ("a: {on: gap, webhook: \"http://a b\"}", "hooks.a.webhook: "),
        ("a: {on: gap, command: [true]}", "hooks.a.command: "),
        ("a: {on: gap, command: [notify, -q]}", "a:2:25: hooks.a.command: The value does not begin with"),
        ("a: {on: gap, command: []}", "hooks.a.command: "),
        ("a: {on: gap, command: [/a], timeLimit: 2h}", "hooks.a.timeLimit: The value is no time from 1s to 1h."),
        ("a: {on: gap, command: [/a], atOnce: 17}", "hooks.a.atOnce: "),
        ("a: {on: degraded, command: [/a], for: 2d}", "hooks.a.for: The value is no time from 1s to 1d."),
        (
            "a: {on: [frame-stored, gap], command: [/a], for: 5m}",
            "hooks.a.for: None of its events begins or ends something that lasts. Leave it out, or give some of camera-lost,"
        ),
        ("a: {on: gap, command: [/a], retries: 11}", "hooks.a.retries: "),
        ("a: {on: gap, command: [/a], cameras: [\"A B\"]}", "hooks.a.cameras: The value is no list of cameras."),
        ("a: {on: gap, comand: [/a]}", "hooks.a.comand: There is no such key. Did you mean command?"),
        ("\"a b\": {on: gap, command: [/a]}", "a:2:3: hooks: A key is no name for a hook."),
        ("[a]", "hooks: "),
    ])
    func `reports a faulty hook by its key`(text: String, words: String) {
        let error = #expect(throws: ConfigurationError.self) {
            try ConfigurationReader.read("hooks:\n  \(text)\n", file: "a")
        }
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }
}
