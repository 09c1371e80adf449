// SPDX-License-Identifier: Apache-2.0
import TestSupport
import TintypeCapture
import TintypeDevice
import TintypeModel
import TintypePattern
import TintypeThreads

@testable import TintypeFrames
@testable import TintypeStills

/// Many cameras side by side, as the daemon has them: a session each, the encoding threads for all.
struct Crowd: Sendable {
    /// One of the cameras, and what happened to its devices.
    struct Member: Sendable {
        let session: CaptureSession
        let log: DeviceLog

        func take(_ fresh: Freshness = .request, deadline: Duration = .seconds(20)) async throws(Problem) -> Still {
            try await StillOutput(session: session).take(StillRequest(fresh: fresh, deadline: deadline))
        }
    }

    /// How one of the cameras is opened.
    typealias Opener = @Sendable (_ name: String, DriverCalls) throws(DeviceError) -> any CaptureDevice

    let members: [Member]

    /// Runs `body` with a pattern camera for each of `patterns`, and ends them afterwards.
    static func run(_ patterns: [String], warmth: Warmth, _ body: (Crowd) async throws -> Void) async throws {
        let openers = try patterns.map { opener(of: try PatternSpec($0)) }
        try await run(openers, SessionConfiguration(warmth: warmth), clock: TestClock(), body)
    }

    /// Runs `body` with a camera for each of `openers`, all of which go by `clock`, and ends them afterwards.
    static func run(
        _ openers: [Opener],
        _ configuration: SessionConfiguration,
        clock: any MonotonicClock,
        _ body: (Crowd) async throws -> Void
    ) async throws {
        let crowd = Crowd(openers, configuration, clock)
        do {
            try await body(crowd)
        } catch {
            await crowd.end()
            throw error
        }
        await crowd.end()
    }

    private static func opener(of spec: PatternSpec) -> Opener {
        { (name, calls) throws(DeviceError) in try PatternDevice(spec, name: name, calls: calls) }
    }

    private func end() async {
        await withTaskGroup(of: Void.self) { group in
            for member in members {
                group.addTask { _ = await member.session.end(within: .patience) }
            }
        }
    }

    private init(_ openers: [Opener], _ configuration: SessionConfiguration, _ clock: any MonotonicClock) {
        let encoding = EncodingThreads(count: 2, clock: clock)
        members = openers.enumerated().map { index, open in
            let (log, name) = (DeviceLog(), "many-\(index)")
            let session = CaptureSession(
                name: name,
                configuration: configuration,
                encoding: encoding,
                logger: .quiet,
                clock: clock
            ) { (calls) throws(DeviceError) in
                log.recordOpening()
                return WatchedDevice(try open(name, calls), log, calls: calls)
            }
            return Member(session: session, log: log)
        }
    }
}
