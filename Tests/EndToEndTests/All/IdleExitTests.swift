// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Testing

extension Processes {
    /// Daemons that the service manager starts for a client, and that end when nothing needs them.
    @Suite struct IdleExitTests {
        @Test func `a daemon that nothing needs ends, and no client that comes just then is lost`() async throws {
            try await Site.with { site in
                let configuration = "exitIdle: 1s\n"
                let daemon = try site.daemonCommand(["YUYV:320x180@30"], configuration: configuration, isPassed: true)
                let outcome = try await site.startPython("socket-manager", [site.socket] + daemon).outcome()
                #expect(outcome.status == 0, "\(outcome.errors)")
                #expect(outcome.errors.contains("it ends until the next client comes"), "\(outcome.errors)")
                #expect(!outcome.errors.contains("left without being closed"), "\(outcome.errors)")
            }
        }

        @Test func `systemd hears READY once a camera that is kept open is known to be absent`() async throws {
            try await Site.with { site in
                let configuration = "ready: cameras\ncameras: {door: {device: /nonexistent/video, warmth: hot}}\n"
                let daemon = try site.daemonCommand([], configuration: configuration)
                let outcome = try await site.startPython("hear-ready", [site.socket] + daemon).outcome()
                #expect(outcome.status == 0, "\(outcome.errors)")
                let heard = outcome.text.split(separator: "\n").map(String.init)
                #expect(heard.filter { !$0.hasPrefix("STATUS=") } == ["EXTEND_TIMEOUT_USEC=120000000", "READY=1"])
                #expect(heard.last?.hasPrefix("STATUS=Serving on \(site.socket). door: absent") == true, "\(heard)")
            }
        }
    }
}
