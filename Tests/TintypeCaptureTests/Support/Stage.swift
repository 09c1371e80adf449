// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing
import TintypeDevice
import TintypeImaging
import TintypeModel
import TintypeSystem

@testable import TintypeCapture

/// A session on the test pattern, and what its tests want to know of it.
struct Stage: Sendable {
    let session: CaptureSession
    let encoding: EncodingThreads
    let log = DeviceLog()
    let renders = Renders()
    let messages = MessageLog()
    let told = ToldEvents()

    var stills: StillOutput { StillOutput(session: session) }
    var counters: CameraCounters { session.status.counters }

    /// Takes a still as fresh as asked, and waits until all has been done that comes of it.
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

    /// Whether the camera gives so many more frames.
    func captures(_ count: UInt64) async -> Bool {
        let before = counters.captured
        return await TestClock().reaches { counters.captured >= before + count }
    }

    /// Whether the ring reaches back so far.
    func fillsRing(_ span: Duration) async -> Bool {
        await TestClock().reaches { (session.status.ring?.spanMs.duration ?? .zero) >= span }
    }

    /// Whether the camera runs after so many openings.
    func runs(afterOpenings count: UInt64) async -> Bool {
        await TestClock().reaches { counters.opened == count && session.status.state == .running }
    }

    /// Takes a burst, of which each still is given to `store`.
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
    /// - Parameters:
    ///   - patterns: what is there at the first opening, at the second, and so on; the last one stays.
    ///   - warmth: the session's warmth.
    ///   - controls: what is wished of the device's controls.
    ///   - configuration: the session's configuration; nil for the default one with that warmth and those controls.
    ///   - rendering: how pictures are made; the project's own if nil.
    ///   - drivers: what stands between the session and the controls of the device at the first opening, at the second,
    ///     and so on; none behind the last one.
    ///   - hang: where the device hangs.
    ///   - line: what tells of the device's source while it does not stream.
    ///   - clock: by which it goes.
    ///   - endsCleanly: whether the session can be expected to end at once.
    ///   - body: the test.
    /// - Throws: what `body` throws.
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

    /// The same for a list of patterns and a whole configuration.
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

    /// Runs `body` and ends the session, within `limit` unless that is nil.
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
        let cameras = try patterns.map { (spec: try PatternSpec($0), source: PatternSource()) }
        let (log, renders) = (log, renders)
        encoding = EncodingThreads(count: 2, clock: clock) { (picture, rendition, codecs) throws(ImagingError) in
            renders.add(picture.key)
            return try (rendering ?? EncodingThreads.render)(picture, rendition, &codecs)
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
            let device = try PatternDevice(camera.spec, name: "pattern", calls: calls, source: camera.source) {
                var encoder = JPEGEncoder()
                return try encoder.encode($0, layout: $1, quality: 95)
            }
            let controls = opening < drivers.count ? OddControls(device.controls, drivers[opening]) : nil
            return WatchedDevice(device, log, controls: controls, hang: hang, line: line, calls: calls)
        }
    }
}

/// The frames that were rendered, in order.
final class Renders: Sendable {
    private let keys = Mutex<[FrameKey]>([])
    var all: [FrameKey] { keys.withLock { $0 } }
    func add(_ key: FrameKey) { keys.withLock { $0.append(key) } }
}

extension Gate {
    /// Makes pictures as usual, once it is open.
    var rendering: EncodingThreads.Rendering {
        { (picture, rendition, codecs) throws(ImagingError) in
            self.wait()
            return try EncodingThreads.render(picture, rendition, &codecs)
        }
    }
}
