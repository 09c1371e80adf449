// SPDX-License-Identifier: Apache-2.0
internal import TintypeImaging
internal import TintypeModel

/// Tells from samples of a camera's pictures whether something moves in them: docs/motion.md.
///
/// A sample is the mean luma of each cell of a grid. Each is compared with a background that is learned from the samples
/// before it, after the change of light that all cells share is taken out.
struct MotionRule {
    /// What a sample has changed.
    enum Change: Equatable {
        /// There is motion, and has been since the sample of this moment.
        case began(MonotonicTime)
        /// There has been no motion for the time of ``MotionSettings/hold``.
        case ended
    }

    /// What is known of one cell.
    private struct Cell {
        /// The background.
        var background: Float
        /// The luma in the last sample.
        var last: Float
        /// What it has shown, differing from the background, since a moment; nil where it does not differ.
        var other: (luma: Float, since: MonotonicTime)?
    }

    private let settings: MotionSettings
    /// The watched cells, in the order of ``places``.
    private var cells: [Cell] = []
    /// Where the watched cells are among all.
    private var places: [Int] = []
    /// The columns and the cells of the grid.
    private var grid = (columns: 0, count: 0)
    private var stream: UInt64 = 0
    /// Until then each sample replaces the background.
    private var learnsUntil = FrameHub.never
    private var last = FrameHub.never
    /// The first of the samples in a row in which enough cells differ; nil if the last was none of them.
    private var firstHit: MonotonicTime?
    /// The last sample with motion.
    private var lastMotion = FrameHub.never

    /// Whether there is motion.
    private(set) var isMoving = false
    /// The share of the watched cells that differ in the last sample, in percent.
    private(set) var share = 0.0
    /// The largest share since the motion began, or of the last motion.
    private(set) var largestShare = 0.0

    /// A camera whose stream has begun is learned for so long: exposure and white balance settle.
    static let startTime = Duration.seconds(3)
    /// The same after a change of light, to which the camera adjusts its exposure.
    static let lightTime = Duration.seconds(2)
    /// The background takes this long to follow what changes slowly.
    static let learningTime = Duration.seconds(10)
    /// What stands still for so long belongs to the background.
    static let standingTime = Duration.seconds(10)
    /// The light has changed where so many of the cells get lighter at once, or darker, by more than ``lightStep``.
    private static let lightCells = 0.75
    private static let lightStep = Float(2)
    /// A picture of one tone says nothing: the lens is covered, or the frame is broken.
    private static let leastSpan = Float(8)

    /// A rule that has seen nothing yet.
    init(_ settings: MotionSettings) { self.settings = settings }

    /// Adds a sample that was exposed at `moment` after all before it; `stream` counts the starts of the camera.
    mutating func add(_ sample: FrameStatistics, stream: UInt64, at moment: MonotonicTime) -> Change? {
        if stream != self.stream || sample.columns != grid.columns || sample.cellCount != grid.count {
            begin(sample, stream)
            learnsUntil = moment + Self.startTime
        }
        let passed = moment - last
        last = moment
        guard !places.isEmpty, span(sample) >= Self.leastSpan else { return conclude(isHit: false, at: moment) }
        guard cells.count == places.count, moment >= learnsUntil else {
            learn(sample)
            return conclude(isHit: false, at: moment)
        }
        let light = light(of: sample)
        share = compare(sample, light, after: passed, at: moment)
        if isChangeOfLight(sample) {
            learn(sample)
            learnsUntil = moment + Self.lightTime
            return conclude(isHit: false, at: moment)
        }
        for (index, place) in places.enumerated() { cells[index].last = sample.luma(ofCell: place) }
        return conclude(isHit: share >= settings.area, at: moment)
    }

    /// Learns the background again: the camera was closed, or its controls were changed.
    mutating func restart() { stream = 0 }

    /// Ends the motion, if there is any: no samples come.
    mutating func end() -> Change? {
        restart()
        firstHit = nil
        share = 0
        guard isMoving else { return nil }
        isMoving = false
        return .ended
    }

    /// Takes up another stream or grid.
    private mutating func begin(_ sample: FrameStatistics, _ stream: UInt64) {
        self.stream = stream
        grid = (sample.columns, sample.cellCount)
        cells = []
        let rows = grid.count / max(1, grid.columns)
        places = (0..<grid.count).filter { place in
            !settings.mask.contains { mask in
                mask.covers(column: place % grid.columns, of: grid.columns, row: place / grid.columns, of: rows)
            }
        }
    }

    /// Takes the whole sample as the background.
    private mutating func learn(_ sample: FrameStatistics) {
        share = 0
        cells.removeAll(keepingCapacity: true)
        for place in places {
            let luma = sample.luma(ofCell: place)
            cells.append(Cell(background: luma, last: luma))
        }
    }

    private mutating func conclude(isHit: Bool, at moment: MonotonicTime) -> Change? {
        guard isHit else {
            firstHit = nil
            guard isMoving, moment - lastMotion >= settings.hold else { return nil }
            isMoving = false
            return .ended
        }
        // One alone may be a flash, or a picture that is damaged.
        guard let firstHit else {
            firstHit = moment
            return nil
        }
        lastMotion = moment
        largestShare = isMoving ? max(largestShare, share) : share
        guard !isMoving else { return nil }
        isMoving = true
        return .began(firstHit)
    }
}

/// The light, and what differs besides.
extension MotionRule {
    /// What the light makes of the background: exposure multiplies the luma of a picture, and stray light adds to it.
    private struct Light {
        var gain = Float(1)
        var offset = Float(0)
        /// How far the cells are off that it fits.
        var noise = Float(0)

        func seen(_ luma: Float) -> Float { min(max(0, luma * gain + offset), 255) }
    }

    /// A background of few tones tells gain and offset apart no better than noise does: then it is the offset.
    private static let leastVariance = Float(25)

    /// A difference counts from so many times the noise on, also where ``MotionSettings/threshold`` is less.
    private static let noiseFactor = Float(5)

    /// The light that fits best: first to all watched cells, then to those that it fits.
    private func light(of sample: FrameStatistics) -> Light {
        var light = Light()
        for round in 0..<3 {
            var (count, sumX, sumY, sumXX, sumXY, sumSquares) = (
                Float(0), Float(0), Float(0), Float(0), Float(0), Float(0)
            )
            for (index, place) in places.enumerated() {
                let (x, y) = (cells[index].background, sample.luma(ofCell: place))
                let rest = y - light.seen(x)
                guard round == 0 || abs(rest) <= Float(settings.threshold) else { continue }
                sumSquares += rest * rest
                count += 1
                sumX += x
                sumY += y
                sumXX += x * x
                sumXY += x * y
            }
            // With fewer it would fit to what moves.
            guard count >= Float(places.count) / 2 else { return light }
            let (meanX, meanY) = (sumX / count, sumY / count)
            let (variance, covariance) = (sumXX / count - meanX * meanX, sumXY / count - meanX * meanY)
            light.gain = (covariance + Self.leastVariance) / (variance + Self.leastVariance)
            light.offset = meanY - light.gain * meanX
            if round > 0 { light.noise = (sumSquares / count).squareRoot() }
        }
        return light
    }

    /// Compares each cell with the background under this light, lets the background follow, and returns the share that
    /// differs, in percent.
    private mutating func compare(
        _ sample: FrameStatistics,
        _ light: Light,
        after passed: Duration,
        at moment: MonotonicTime
    ) -> Double {
        let weight = Float(min(1, passed / Self.learningTime))
        let threshold = max(Float(settings.threshold), Self.noiseFactor * light.noise)
        var count = 0
        for (index, place) in places.enumerated() {
            let luma = sample.luma(ofCell: place)
            guard abs(luma - light.seen(cells[index].background)) > threshold else {
                cells[index].background += (luma - cells[index].background) * weight
                cells[index].other = nil
                continue
            }
            count += 1
            guard let other = cells[index].other, abs(luma - other.luma) <= threshold / 2 else {
                cells[index].other = (luma, moment)
                continue
            }
            if moment - other.since >= Self.standingTime { cells[index].background = luma }
        }
        return 100 * Double(count) / Double(places.count)
    }

    /// Whether nearly all cells have become lighter since the last sample, or darker.
    private func isChangeOfLight(_ sample: FrameStatistics) -> Bool {
        var (lighter, darker) = (0, 0)
        for (index, place) in places.enumerated() {
            let step = sample.luma(ofCell: place) - cells[index].last
            if step > Self.lightStep { lighter += 1 }
            if step < -Self.lightStep { darker += 1 }
        }
        return Double(max(lighter, darker)) >= Self.lightCells * Double(places.count)
    }

    private func span(_ sample: FrameStatistics) -> Float {
        var (least, most) = (Float.infinity, -Float.infinity)
        for place in places {
            let luma = sample.luma(ofCell: place)
            least = min(least, luma)
            most = max(most, luma)
        }
        return most - least
    }
}
