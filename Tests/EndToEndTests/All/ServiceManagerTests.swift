// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Testing

extension Processes {
    @Suite struct ServiceManagerTests {
        @Test func `an idle exit loses no client`() async throws {
            try await Site.with { site in
                let configuration = "exitIdle: 1s\n"
                let daemon = try site.daemonCommand(["YUYV:320x180@30"], configuration: configuration, isPassed: true)
                let outcome = try await site.startPython("socket-manager", [site.socket] + daemon).outcome()
                #expect(outcome.status == 0, "\(outcome.errors)")
                #expect(outcome.errors.contains("it ends until the next client comes"), "\(outcome.errors)")
                #expect(!outcome.errors.contains("could not be closed"), "\(outcome.errors)")
            }
        }

        @Test func `sends READY once a hot camera is known to be absent`() async throws {
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

        @Test(.requiresRoot) func `a blocked part stops the watchdog, a hanging driver does not`() async throws {
            try await Site.with { site in
                let patterns = ["YUYV:320x180@30", "YUYV:320x180@30,hang-after=3", "GREY:64x32@1,exposure=60s"]
                let daemon = try site.daemonCommand(patterns)
                let outcome = try await site.startPython("stand-still", [site.socket] + daemon).outcome()
                #expect(outcome.status == 0, "\(outcome.errors)")
                let parts = [
                    "the thread of the camera pattern", "the storage thread of the spool default",
                    "the writing threads of the spool default", "the encoding threads",
                    "an event loop of the control socket", "the alarm clock", "the cooperative pool",
                    "a driver that hangs, and an exposure of a minute",
                ]
                #expect(outcome.text.split(separator: "\n").map(String.init) == parts, "\(outcome.errors)")
            }
        }
    }
}
