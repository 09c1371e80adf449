// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestSupport
import Testing
import TintypeDevice
import TintypeModel
import TintypePattern
import TintypeThreads

@testable import TintypeCapture
@testable import TintypeFrames
@testable import TintypeStills

extension SessionTests {
    /// What a session does when it is told that something has happened to a device.
    struct RetryNowTests {
        @Test func `a session that waits for its next attempt makes it at once`() async throws {
            try await Stage.run("YUYV:256x64@50,busy", warmth: .hot) { stage in
                // After some failures the next attempt is more than a second away.
                var planned: Timestamp?
                let isPatient = await TestClock().reaches {
                    guard case .interrupted(_, let since, let next) = stage.session.status.state else { return false }
                    planned = next
                    return next.microseconds - since.microseconds > 1_500_000
                }
                #expect(isPatient)
                let before = stage.log.openings
                stage.session.retryNow()
                #expect(await TestClock().reaches { stage.log.openings > before })
                let moment = try #require(planned)
                #expect(TestClock().wall < moment)
                // And from there on it is tried as often as after a first failure.
                let isImpatient = await TestClock().reaches {
                    guard case .interrupted(_, let since, let next) = stage.session.status.state else { return false }
                    return next.microseconds - since.microseconds < 500_000
                }
                #expect(isImpatient)
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
        ) -> CaptureSession {
            CaptureSession(
                name: "pattern",
                configuration: SessionConfiguration(),
                encoding: EncodingThreads(count: 1, clock: clock),
                logger: .quiet,
                clock: clock
            ) { (calls) throws(DeviceError) in
                guard isAllowed() else { throw .denied(path: node) }
                do throws(PatternSpecError) {
                    let spec = try PatternSpec("YUYV:256x64@50")
                    return try Self.device(spec, calls)
                } catch {
                    throw .unsupported(path: node, reason: error.description)
                }
            }
        }

        private static func device(
            _ spec: PatternSpec,
            _ calls: DriverCalls
        ) throws(PatternSpecError) -> PatternDevice {
            do throws(DeviceError) {
                return try PatternDevice(spec, name: "pattern", calls: calls) { _, _ in [] }
            } catch {
                preconditionFailure("a raw pattern needs no encoder: \(error)")
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
            let session = session(node: node, clock: clock) { isAllowed.isSet }
            async let still = StillOutput(session: session).take(StillRequest(deadline: .patience))
            // It is not said to be denied yet.
            let isLost = await session.reaches { state in
                state.reason?.code == .deviceLost && state.reason?.detail.contains(node) == true
            }
            #expect(isLost)
            isAllowed.set()
            session.retryNow()
            #expect(try await still.record.width == 256)
            #expect(await session.end(within: .patience))
        }

        @Test func `a node that has been there for long and may not be opened is camera-denied at once`() async throws {
            // Made long before this test.
            let session = session(node: "/proc/self/..") { false }
            let problem = await #expect(throws: Problem.self) {
                try await StillOutput(session: session).take(StillRequest(deadline: .patience))
            }
            #expect(problem?.code == .cameraDenied)
            #expect(await session.end(within: .patience))
        }
    }
}
