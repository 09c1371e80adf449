// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
internal import TintypeImaging
internal import TintypeModel

/// Images made and being made of the newest frame: one for each kind of options, shared by all subscribers.
struct FrameMemo {
    private enum Entry {
        case inProgress
        case done(EncodedImage)
        /// The frame is damaged, or rejected by these options.
        case damaged
    }

    let key: FrameKey
    /// Total suspend time of the machine when the frame arrived.
    let slept: Duration
    /// Rarely more than one or two.
    private var entries: [(options: EncodingOptions, entry: Entry)] = []

    init(_ key: FrameKey, slept: Duration) { (self.key, self.slept) = (key, slept) }

    func image(_ options: EncodingOptions) -> EncodedImage? {
        if case .done(let image) = entry(options) { image } else { nil }
    }

    /// True if the frame was found too damaged for this standard.
    func isDamaged(for standard: PictureStandard) -> Bool {
        entries.contains { options, entry in
            if case .damaged = entry { options.standard == standard } else { false }
        }
    }

    /// Marks an image as in progress; false if it is made already, or being made.
    mutating func begin(_ options: EncodingOptions) -> Bool {
        guard entry(options) == nil else { return false }
        entries.append((options, .inProgress))
        return true
    }

    mutating func record(_ result: EncodingResult, _ options: EncodingOptions) {
        forget(options)
        switch result {
        case .success(let image): entries.append((options, .done(image)))
        case .failure(.refused): break
        case .failure: entries.append((options, .damaged))
        }
    }

    /// Forgets an image in progress, for which nobody waits any more.
    mutating func forget(_ options: EncodingOptions) { entries.removeAll { $0.options == options } }

    private func entry(_ options: EncodingOptions) -> Entry? { entries.first { $0.options == options }?.entry }
}

/// Damaged frames found by encodings.
struct DamageLog {
    private var last: MonotonicTime?
    /// The newest damaged frames, since several images may be made of one.
    private var counted: [FrameKey] = []

    /// Damaged frames within this time of each other count as one incident.
    private static let memory = Duration.seconds(60)

    /// Records the error of a damaged frame; returns true for the first one after a minute without any.
    ///
    /// Returns nil if the frame is recorded already, or if only the client's standard rejects it, as a blank one.
    mutating func record(_ error: ImagingError, of key: FrameKey, now: MonotonicTime) -> Bool? {
        guard error.skipReason == .corrupt, !counted.contains(key) else { return nil }
        counted.append(key)
        if counted.count > Subscriber.depth { counted.removeFirst() }
        defer { last = now }
        return last.map { now - $0 > Self.memory } ?? true
    }
}
