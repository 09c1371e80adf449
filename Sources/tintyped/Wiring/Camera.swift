// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeCapture
internal import TintypeDevice
internal import TintypeImaging
internal import TintypeModel
internal import TintypeSystem

struct Camera: Sendable {
    enum Source: Hashable, Sendable {
        /// Path of a node, or of a link to it.
        case node(path: String)
        /// The only camera that meets these conditions; resolved at each opening.
        case match(CameraMatch)
        case pattern(PatternSpec)

        var isPattern: Bool { if case .pattern = self { true } else { false } }

        func opener(name: String, _ discovery: CameraDiscovery) -> CaptureSession.Opener {
            switch self {
            case .node(let path):
                { (calls) throws(DeviceError) in
                    let known = try discovery.identity(at: path, calls: calls)
                    return try V4L2Device(path: path, known: known, calls: calls)
                }
            case .match(let match):
                { (calls) throws(DeviceError) in
                    let known = try discovery.locate(match)
                    let device = try V4L2Device(path: known.path, known: known, calls: calls)
                    // Another device, even of the same model, may have the node number now.
                    try discovery.confirm(known, calls: calls)
                    if match.matches(device.identity) { return device }
                    throw .disconnected(path: known.path, operation: "open")
                }
            case .pattern(let spec):
                { [change = OnceFlag()] (calls) throws(DeviceError) in
                    let encode = PatternEncoder().encode
                    return try PatternDevice(spec, name: name, calls: calls, sourceChange: change, encoder: encode)
                }
            }
        }
    }

    typealias Schedule = (schedule: PublishSchedule, publication: Publication)

    let configuration: CameraConfiguration
    let session: CaptureSession
    let output: StillOutput
    let publications: [Schedule]
    let trigger: Trigger
    /// Results of triggers, which have no schedule.
    let triggered: Publication
    /// Nil if its codes are not read.
    let codes: CodeSights?
    /// Nil if stored stills update `latest.jpg`.
    let latest: (settings: LatestSettings, publication: Publication)?
    let stills: StillOutcomes
    let streams: StreamTable
    let metrics: StillMetrics
    /// Cancels work for the camera when it is removed or replaced.
    let cancellation = CancellationSignal()

    var name: String { configuration.name }
    var source: Source { configuration.source }
    var spool: String { configuration.spoolName }

    init(_ configuration: CameraConfiguration, of cameras: Cameras) {
        let (clock, logger, tell) = (cameras.clock, cameras.logger, cameras.tell)
        self.configuration = configuration
        metrics = StillMetrics(camera: configuration.name)
        stills = StillOutcomes(metrics, clock: clock, expectsSilence: configuration.session.stall == .off)
        streams = StreamTable(clock: clock)
        codes = configuration.readsCodes ? CodeSights() : nil
        var settings = configuration.session
        settings.overlay = configuration.overlay.style
        session = CaptureSession(
            name: configuration.name,
            configuration: settings,
            encoding: cameras.encoding,
            logger: logger,
            clock: clock,
            tolerances: cameras.tolerances,
            tell: tell,
            open: configuration.source.opener(name: configuration.name, cameras.scanner.discovery)
        )
        output = StillOutput(session: session)
        func publication(_ schedule: String, _ counters: PublishedState?) -> Publication {
            Publication(camera: configuration.name, schedule: schedule, counters: counters, logger: logger, tell: tell)
        }
        let published = session.published
        publications = configuration.publish.map { ($0, publication("\($0)", published)) }
        (trigger, triggered) = (Trigger(clock: clock), publication(HoldRequest.trigger, published))
        // Without counters: the camera's counters count only stored frames.
        latest = configuration.latest.map { ($0, publication("\($0)", nil)) }
    }

    func completed(_ request: StillRequest) -> StillRequest {
        var request = request
        request.rendering.overlay = request.rendering.overlay ?? configuration.overlay.text
        return request
    }

    /// The still with the tag `code`, if a code was in sight at its exposure and it has room for a tag.
    func tagged(_ still: Still) -> Still {
        let tags = still.record.tags ?? []
        guard let codes, let exposed = still.record.capturedMonotonicNs,
            codes.covers(MonotonicTime(nanoseconds: exposed)), !tags.contains(PictureCode.tag),
            tags.count < StillRequest.mostTags
        else { return still }
        var still = still
        still.record.tags = tags + [PictureCode.tag]
        return still
    }

    var publishing: [PublishingStatus]? {
        let scheduled = publications.map(\.publication)
        let all = scheduled + (trigger.wasUsed ? [triggered] : []) + (latest.map { [$0.publication] } ?? [])
        return all.isEmpty ? nil : all.map(\.status)
    }
}

/// Used on the device's thread.
final class PatternEncoder {
    private var encoder = JPEGEncoder()

    func encode(_ bytes: RawSpan, _ layout: PictureLayout) throws(ImagingError) -> [UInt8] {
        try encoder.encode(bytes, layout: layout, quality: 85)
    }
}

/// Counts the failures of a camera's stills, and remembers those of the latest client stills; any thread, never blocks.
final class StillOutcomes: Sendable {
    private let state = Mutex<FailingStills?>(nil)
    private let metrics: StillMetrics
    private let clock: any MonotonicClock
    private let expectsSilence: Bool

    /// A camera that `expectsSilence` (`stall: off`) does not fail by giving no frame before a deadline.
    init(_ metrics: StillMetrics, clock: any MonotonicClock, expectsSilence: Bool = false) {
        (self.metrics, self.clock, self.expectsSilence) = (metrics, clock, expectsSilence)
    }

    var failing: FailingStills? { state.withLock(\.self) }

    /// `request` is that of a client; nil for a picture that none has asked for.
    func recordOutcome<Value: Sendable>(
        of request: StillRequest?,
        _ take: () async throws(Problem) -> Value
    ) async throws(Problem) -> Value {
        do throws(Problem) {
            let value = try await take()
            if request != nil { state.withLock { $0 = nil } }
            return value
        } catch {
            metrics.failed(error.code)
            guard let request, !expectsSilence || error.code != .deadlineExceeded else { throw error }
            state.withLock { $0 = FailingStills.adding(error, deadline: request.deadline, to: $0, at: clock.wall) }
            throw error
        }
    }
}
