// SPDX-License-Identifier: Apache-2.0
import TestSupport
import TintypeDevice
import TintypeModel

@testable import TintypeCapture

/// Cameras as in the daemon: one session each, shared encoding threads.
struct Crowd: Sendable {
    /// A camera and the log of its devices.
    struct Member: Sendable {
        let session: CaptureSession
        let log: DeviceLog

        func take(_ fresh: Freshness = .request, deadline: Duration = .seconds(20)) async throws(Problem) -> Still {
            try await StillOutput(session: session).take(StillRequest(fresh: fresh, deadline: deadline))
        }
    }

    let members: [Member]

    /// Runs `body` with a camera for each of `patterns` and ends the sessions.
    static func run(_ patterns: [String], warmth: Warmth, _ body: (Crowd) async throws -> Void) async throws {
        let crowd = Crowd(try patterns.map { try PatternSpec($0) }, warmth)
        do {
            try await body(crowd)
        } catch {
            await crowd.end()
            throw error
        }
        await crowd.end()
    }

    private func end() async {
        await withTaskGroup(of: Void.self) { group in
            for member in members {
                group.addTask { _ = await member.session.end(within: .patience) }
            }
        }
    }

    private init(_ specs: [PatternSpec], _ warmth: Warmth) {
        let encoding = EncodingThreads(count: 2, clock: TestClock())
        members = specs.enumerated().map { index, spec in
            let (log, name) = (DeviceLog(), "many-\(index)")
            let session = CaptureSession(
                name: name,
                configuration: SessionConfiguration(warmth: warmth),
                encoding: encoding,
                logger: .quiet,
                clock: TestClock()
            ) { (calls) throws(DeviceError) in
                log.recordOpening()
                return WatchedDevice(try PatternDevice(spec, name: name, calls: calls), log, calls: calls)
            }
            return Member(session: session, log: log)
        }
    }
}
