// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing
import TintypeCapture
import TintypeDevice
import TintypeImaging
import TintypeModel
import TintypePattern
import TintypeThreads

@testable import TintypeFrames
@testable import TintypeStills

/// A session on the test pattern, and what its tests want to know of it.
struct Stage: Sendable {
    let session: CaptureSession
    let encoding: EncodingThreads
    let log: DeviceLog
    let renders: Renders
    let messages: MessageLog
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

    /// Takes a burst of which nothing is stored.
    func burst(_ request: StillRequest) async throws(Problem) -> StillList {
        try await BurstOutput(session: session).take(request) { (still, _) throws(Problem) in still.record }
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
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws.
    static func run<R>(
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
        _ body: (Stage) async throws -> R
    ) async throws -> R {
        let configuration = configuration ?? SessionConfiguration(warmth: warmth, controls: ControlSettings(controls))
        let stage = Stage(patterns, configuration, rendering, drivers, hang, line, clock)
        return try await stage.play(endsWithin: endsCleanly ? .patience : nil, body)
    }

    /// The same for a list of patterns and a whole configuration.
    static func run<R>(
        list patterns: [String],
        configuration: SessionConfiguration,
        rendering: EncodingThreads.Rendering? = nil,
        _ body: (Stage) async throws -> R
    ) async throws -> R {
        let stage = Stage(patterns, configuration, rendering, [], nil, nil, TestClock())
        return try await stage.play(endsWithin: .seconds(10), body)
    }

    /// Runs `body` and ends the session, within `limit` unless that is nil.
    private func play<R>(endsWithin limit: Duration?, _ body: (Stage) async throws -> R) async throws -> R {
        do {
            let result = try await body(self)
            #expect(await session.end(within: limit ?? .seconds(1)) || limit == nil)
            return result
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
    ) {
        let messages = MessageLog()
        self.messages = messages
        let log = DeviceLog()
        let sources = patterns.map { _ in PatternSource() }
        let renders = Renders()
        self.log = log
        self.renders = renders
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
            let index = min(opening, patterns.count - 1)
            log.recordOpening()
            hang?.pass("open", calls)
            let device = try Stage.pattern(patterns[index], sources[index], calls)
            let controls = opening < drivers.count ? OddControls(device.controls, drivers[opening]) : nil
            return WatchedDevice(device, log, controls: controls, hang: hang, line: line, calls: calls)
        }
    }

    private static func pattern(
        _ text: String,
        _ source: PatternSource,
        _ calls: DriverCalls
    ) throws(DeviceError) -> PatternDevice {
        let spec: PatternSpec
        do throws(PatternSpecError) {
            spec = try PatternSpec(text)
        } catch {
            throw .unsupported(path: text, reason: error.description)
        }
        return try PatternDevice(spec, name: "pattern", calls: calls, source: source) { picture, layout in
            var encoder = JPEGEncoder()
            return try encoder.encode(picture, layout: layout, quality: 95)
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

/// The problem that `body` fails with; nil if it does not fail.
func failure<R>(_ body: () async throws -> R) async -> Problem? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? Problem
    }
}
