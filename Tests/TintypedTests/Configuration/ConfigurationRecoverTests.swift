// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import tintyped

struct ConfigurationRecoverTests {
    @Test func `reads a command with defaults for missing keys`() throws {
        #expect(try configuredCamera().recover == nil)
        let usual = try #require(try configuredCamera("recover: {command: /bin/reset}").recover)
        #expect(usual.command == ["/bin/reset"] && usual.after == 5 && usual.pause == .seconds(300))
        let all = try configuredCamera("recover: {command: [/bin/reset, -q], after: 2, pause: 1h}").recover
        #expect(all == RecoverConfiguration(command: ["/bin/reset", "-q"], after: 2, pause: .seconds(3600)))
    }

    @Test(arguments: [
        ("recover: {after: 3}", "recover: The key command is missing."),
        ("recover: {command: reset}", "recover.command: \"reset\" does not begin with the absolute path of a program."),
        ("recover: {command: [/a], after: 0}", "recover.after: \"0\" is not a whole number from 1 to 1000."),
        ("recover: {command: [/a], pause: 2d}", "recover.pause: \"2d\" is no time from 1s to 1d."),
        ("recover: {command: [/a], afters: 3}", "recover.afters: There is no such key. Did you mean after?"),
    ])
    func `reports a fault by its key`(_ text: String, _ says: String) {
        expectFault(cameraHead + "    \(text)\n", "", "cameras.a.\(says)")
    }
}
