// SPDX-License-Identifier: Apache-2.0
internal import Testing

extension Processes {
    /// What a service manager hears of a daemon whose parts move, or do not.
    @Suite struct WatchdogTests {
        @Test(.requiresRoot) func `systemd hears nothing while a part stands still, and hears on while a driver hangs`()
            async throws
        {
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
