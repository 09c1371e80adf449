// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing
internal import TintypeModel
internal import tintype

extension Processes {
    /// Opening and closing of a camera, counted in the daemon's descriptors, as its LED would show it.
    @Suite struct WarmthTests {
        /// 17 frames a second, an interval that no other timer has.
        private static let pattern = "YUYV:256x64@17"
        private static let interval = 1_000_000_000 / 17

        private func isOpen(_ files: ProcessFiles) -> Bool { files.running == [Self.interval] }

        @Test func `hold opens the camera, and stop or the end of its lingering closes it`() async throws {
            try await Site.serving(Self.pattern) { site, daemon in
                let files = ProcessFiles(pid: daemon.pid)
                #expect(files.running.isEmpty)
                // A first use creates what the daemon keeps.
                _ = try await site.tintype("hold", "pattern", "--for", "10m", "--owner", "bob")
                _ = try await site.client.stop("pattern")
                let idle = files.timers
                #expect(files.running.isEmpty)

                let held = try await site.tintype("hold", "pattern", "--for", "10m", "--owner", "ann")
                #expect(held.status == 0, "\(held.errors)")
                #expect(held.text.hasPrefix("pattern: held by ann until 20"))
                #expect(isOpen(files) && files.timers == idle + 1)
                let status = try await site.tintype("status", "pattern").text
                #expect(status.contains(/held +by ann until 20/), "\(status)")

                // A stop does not wait for the lingering of ten seconds.
                #expect(try await site.tintype("release", "--owner", "ann").text == "pattern: released\n")
                #expect(isOpen(files))
                #expect(try await site.tintype("stop").text == "pattern: stopped\n")
                #expect(files.running.isEmpty && files.timers == idle)

                let used = MonotonicTime.now()
                _ = try await site.client.picture(of: "pattern", StillRequest(deadline: .patience, keep: false))
                #expect(isOpen(files))
                try await eventually("the camera is closed after it has lingered") { files.timers == idle }
                #expect(MonotonicTime.now() - used > .seconds(9))
                #expect(files.running.isEmpty)
                let latency = try #require(try await site.client.camera("pattern").latency.fromOff)
                // The wait for the first frame is part of it.
                #expect(latency.medianMs.duration >= .nanoseconds(Self.interval))
            }
        }

        /// Without lingering, which ClosingTests show.
        @Test func `a camera opened only for a client that has gone closes`() async throws {
            // The first frame comes after 1000 s.
            try await Site.serving("YUYV:256x64@0.001") { site, daemon in
                let files = ProcessFiles(pid: daemon.pid)
                for _ in 0..<3 {
                    let client = try site.curl(
                        "-o",
                        "/dev/null",
                        "http://localhost/v1/cameras/pattern/still.jpg?deadlineMs=600000"
                    )
                    try await eventually("the camera is open") { files.running == [1_000_000_000_000] }
                    client.signal(SIGKILL)
                    try await eventually("the camera is closed") { files.running.isEmpty }
                }
                let camera = try await site.client.camera("pattern")
                // No still ended by its deadline.
                #expect(camera.state == .off && camera.failing == nil)
            }
        }
    }
}
