// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing
import TintypeDevice
import TintypeImaging
import TintypeModel
import TintypeSystem

@testable import TintypeCapture

/// A session on the test pattern with everything its tests observe.
struct Stage: Sendable {
    let session: CaptureSession
    let encoding: EncodingThreads
    let log = DeviceLog()
    let renders = Renders()
    let messages = MessageLog()
    let told = ToldEvents()

    var stills: StillOutput { StillOutput(session: session) }
    var counters: CameraCounters { session.status.counters }

    /// Takes a still and waits until all its effects have settled.
    func take(
        _ fresh: Freshness = .request,
        deadline: Duration = .seconds(20),
        settle: SettlePolicy = .auto
    ) async throws(Problem) -> Still {
        do throws(Problem) {
            let still = try await stills.take(StillRequest(fresh: fresh, deadline: deadline, settle: settle))
            await TestClock().settle()
            return still
        } catch {
            await TestClock().settle()
            throw error
        }
    }

    /// Waits for `count` more frames.
    func captures(_ count: UInt64) async -> Bool {
        let before = counters.captured
        return await TestClock().reaches { counters.captured >= before + count }
    }

    /// Waits until the ring covers `span`.
    func fillsRing(_ span: Duration) async -> Bool {
        await TestClock().reaches { (session.status.ring?.spanMs.duration ?? .zero) >= span }
    }

    /// Waits until the camera is running after `count` openings.
    func runs(afterOpenings count: UInt64) async -> Bool {
        await TestClock().reaches { counters.opened == count && session.status.state == .running }
    }

    /// Takes a burst and passes each still to `store`.
    func burst(
        _ request: StillRequest,
        storing store: @escaping @Sendable (Still) async throws(Problem) -> Void = { _ in }
    ) async throws(Problem) -> StillList {
        try await BurstOutput(session: session).take(request) { (still, _) throws(Problem) in
            try await store(still)
            return still.record
        }
    }

    /// Runs `body` with a session and ends it afterwards.
    ///
    /// Each opening has the next of `patterns`, of which the last one repeats, and the next of `drivers`, then none.
    /// `configuration` is by default made of `warmth` and `controls`; `rendering` replaces the encoder; `line` has the
    /// events while the device does not stream. `endsCleanly` is false if the session cannot end at once.
    static func run(
        _ patterns: String...,
        warmth: Warmth = .linger(.seconds(30)),
        controls: [String: ControlValue] = [:],
        configuration: SessionConfiguration? = nil,
        rendering: EncodingThreads.Rendering? = nil,
        drivers: [OddControls.Oddity] = [],
        hang: Hang? = nil,
        line: SourceLine? = nil,
        clock: any MonotonicClock = TestClock(),
        endsCleanly: Bool = true,
        _ body: (Stage) async throws -> Void
    ) async throws {
        let configuration = configuration ?? SessionConfiguration(warmth: warmth, controls: ControlSettings(controls))
        let stage = try Stage(patterns, configuration, rendering, drivers, hang, line, clock)
        try await stage.play(endsWithin: endsCleanly ? .patience : nil, body)
    }

    /// Runs `body` with a list of patterns and a complete configuration.
    static func run(
        list patterns: [String],
        configuration: SessionConfiguration,
        rendering: EncodingThreads.Rendering? = nil,
        endsCleanly: Bool = true,
        _ body: (Stage) async throws -> Void
    ) async throws {
        let stage = try Stage(patterns, configuration, rendering, [], nil, nil, TestClock())
        try await stage.play(endsWithin: endsCleanly ? .seconds(10) : nil, body)
    }

    /// Runs `body` and ends the session, within `limit` unless nil.
    private func play(endsWithin limit: Duration?, _ body: (Stage) async throws -> Void) async throws {
        do {
            try await body(self)
            #expect(await session.end(within: limit ?? .seconds(1)) || limit == nil)
        } catch {
            _ = await session.end(within: .seconds(1))
            throw error
        }
    }

    private init(
        _ patterns: [String],
        _ configuration: SessionConfiguration,
        _ rendering: EncodingThreads.Rendering?,
        _ drivers: [OddControls.Oddity],
        _ hang: Hang?,
        _ line: SourceLine?,
        _ clock: any MonotonicClock
    ) throws {
        let cameras = try patterns.map { (spec: try PatternSpec($0), sourceChange: OnceFlag()) }
        let (log, renders) = (log, renders)
        encoding = EncodingThreads(count: 2, clock: clock) { (picture, options, codecs) throws(ImagingError) in
            renders.add(picture.key)
            return try (rendering ?? EncodingThreads.render)(picture, options, &codecs)
        }
        session = CaptureSession(
            name: "pattern",
            configuration: configuration,
            encoding: encoding,
            logger: messages.logger,
            clock: clock,
            tell: told.tell
        ) { (calls) throws(DeviceError) in
            let opening = log.openings
            let camera = cameras[min(opening, cameras.count - 1)]
            log.recordOpening()
            hang?.pass("open", calls)
            let device = try PatternDevice(
                camera.spec,
                name: "pattern",
                calls: calls,
                sourceChange: camera.sourceChange
            ) {
                var encoder = JPEGEncoder()
                return try encoder.encode($0, layout: $1, quality: 95)
            }
            let controls = opening < drivers.count ? OddControls(device.controls, drivers[opening]) : nil
            return WatchedDevice(device, log, controls: controls, hang: hang, line: line, calls: calls)
        }
    }
}

/// Keys of rendered frames in order.
final class Renders: Sendable {
    private let keys = Mutex<[FrameKey]>([])
    var all: [FrameKey] { keys.withLock { $0 } }
    func add(_ key: FrameKey) { keys.withLock { $0.append(key) } }
}

extension Gate {
    /// Renders as usual once the gate is open.
    var rendering: EncodingThreads.Rendering {
        { (picture, options, codecs) throws(ImagingError) in
            self.wait()
            return try EncodingThreads.render(picture, options, &codecs)
        }
    }
}
