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
    /// What a session does when it is told that something has happened to a device.
    struct RetryNowTests {
        @Test func `a session that waits for its next attempt makes it at once`() async throws {
            try await Stage.run("YUYV:256x64@50,busy", warmth: .hot) { stage in
                // After some failures the next attempt is more than a second away.
                #expect(await stage.session.reaches { $0.attempt.map { $0.after > .milliseconds(1500) } == true })
                let planned = try #require(stage.session.status.state.attempt).at
                let before = stage.log.openings
                stage.session.retryNow()
                #expect(await TestClock().reaches { stage.log.openings > before })
                #expect(TestClock().wall < planned)
                // And from there on it is tried as often as after a first failure.
                #expect(await stage.session.reaches { $0.attempt.map { $0.after < .milliseconds(500) } == true })
            }
        }

        @Test func `a session that is off stays off, and one that runs goes on`() async throws {
            try await Stage.run("YUYV:256x64@50", warmth: .linger(.seconds(30))) { stage in
                stage.session.retryNow()
                // Commands are run in order: once this has its answer, the one before is done.
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

        /// A session whose node may be opened only once `isAllowed`.
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

        @Test func `a node that was just made is waited for, and opened once its permissions are set`() async throws {
            let node = "/tmp/tintype-node-\(UUID().uuidString)"
            #expect(FileManager.default.createFile(atPath: node, contents: nil))
            defer { try? FileManager.default.removeItem(atPath: node) }
            let isAllowed = OddControls.Flag()
            var status = stat()
            #expect(unsafe stat(node, &status) == 0)
            // However long the machine takes, no time has passed since then.
            let clock = WallClock(Timestamp(status.st_ctim))
            let session = try session(node: node, clock: clock) { isAllowed.isSet }
            async let still = StillOutput(session: session).take(StillRequest(deadline: .patience))
            // It is not said to be denied yet.
            #expect(await session.reaches { $0.reason?.code == .deviceLost })
            #expect(session.status.state.reason?.detail.contains(node) == true)
            isAllowed.set()
            session.retryNow()
            #expect(try await still.record.width == 256)
            #expect(await session.end(within: .patience))
        }

        @Test func `a node that has been there for long and may not be opened is camera-denied at once`() async throws {
            // Made long before this test.
            let stills = StillOutput(session: try session(node: "/proc/self/..") { false })
            await expectProblem(.cameraDenied) { try await stills.take(StillRequest(deadline: .patience)) }
            #expect(await stills.session.end(within: .patience))
        }
    }
}
