// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestSupport
import Testing
import TintypeDevice
import TintypeModel
import TintypeSystem

@testable import TintypeCapture

extension SessionTests {
    /// Reaction of a session to device events (`retryNow`).
    struct RetryNowTests {
        @Test func `retryNow makes the pending attempt at once`() async throws {
            try await Stage.run("YUYV:256x64@50,busy", warmth: .hot) { stage in
                // After several failures the next attempt is more than a second away.
                #expect(await stage.session.reaches { $0.attempt.map { $0.after > .milliseconds(1500) } == true })
                let planned = try #require(stage.session.status.state.attempt).at
                let before = stage.log.openings
                stage.session.retryNow()
                #expect(await TestClock().reaches { stage.log.openings > before })
                #expect(TestClock().wall < planned)
                // Retry delays start over.
                #expect(await stage.session.reaches { $0.attempt.map { $0.after < .milliseconds(500) } == true })
            }
        }

        @Test func `retryNow leaves idle and running sessions alone`() async throws {
            try await Stage.run("YUYV:256x64@50", warmth: .linger(.seconds(30))) { stage in
                stage.session.retryNow()
                // Commands run in order: an answer proves that the previous command is done.
                _ = try await stage.session.formats()
                #expect(stage.session.status.state == .off)
                #expect(stage.log.open == 0)
                _ = try await stage.take()
                let openings = stage.log.openings
                stage.session.retryNow()
                _ = try await stage.session.formats()
                _ = try await stage.take()
                #expect(stage.log.openings == openings)
                #expect(stage.counters.opened == 1)
            }
        }

        /// A session whose node can be opened only after `isAllowed` returns true.
        private func session(
            node: String,
            clock: any MonotonicClock = .system,
            isAllowed: @escaping @Sendable () -> Bool
        ) throws -> CaptureSession {
            let spec = try PatternSpec("YUYV:256x64@50")
            return CaptureSession(
                name: "pattern",
                configuration: SessionConfiguration(),
                encoding: EncodingThreads(count: 1, clock: clock),
                logger: .quiet,
                clock: clock
            ) { (calls) throws(DeviceError) in
                guard isAllowed() else { throw .denied(path: node) }
                return try PatternDevice(spec, name: "pattern", calls: calls)
            }
        }

        @Test func `a new node is opened once its permissions are set`() async throws {
            let node = "/tmp/tintype-node-\(UUID().uuidString)"
            #expect(FileManager.default.createFile(atPath: node, contents: nil))
            defer { try? FileManager.default.removeItem(atPath: node) }
            let isAllowed = OddControls.Flag()
            var status = stat()
            #expect(unsafe stat(node, &status) == 0)
            // The clock stands at the change of the node, however slow the machine is.
            let clock = WallClock(Timestamp(status.st_ctim))
            let session = try session(node: node, clock: clock) { isAllowed.isSet }
            async let still = StillOutput(session: session).take(StillRequest(deadline: .patience))
            // The error is not yet camera-denied.
            #expect(await session.reaches { $0.reason?.code == .deviceLost })
            #expect(session.status.state.reason?.detail.contains(node) == true)
            isAllowed.set()
            session.retryNow()
            #expect(try await still.record.width == 256)
            #expect(await session.end(within: .patience))
        }

        @Test func `an old node without permission fails with camera-denied`() async throws {
            // A node that is older than the test.
            let stills = StillOutput(session: try session(node: "/proc/self/..") { false })
            await expectProblem(.cameraDenied) { try await stills.take(StillRequest(deadline: .patience)) }
            #expect(await stills.session.end(within: .patience))
        }
    }
}
