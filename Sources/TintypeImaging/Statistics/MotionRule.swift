// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

/// Detects motion from samples of a camera's pictures; see docs/how-to/motion.md.
///
/// A sample is the mean luma of each cell of a grid. Each cell is compared with a background learned from earlier
/// samples, after removal of the light change common to all cells.
package struct MotionRule: Sendable {
    package enum Change: Equatable, Sendable {
        /// Motion began, at the time of the given sample.
        case began(MonotonicTime)
        /// No motion for ``MotionSettings/hold``.
        case ended
    }

    private struct Cell {
        var background: Float
        var last: Float
        /// Luma that differs from the background, and since when; nil while it does not differ.
        var other: (luma: Float, since: MonotonicTime)?
    }

    private static let never = MonotonicTime(nanoseconds: .min / 2)

    private let settings: MotionSettings
    /// Watched cells, in the order of ``places``.
    private var cells: [Cell] = []
    /// Indices of the watched cells in the grid.
    private var places: [Int] = []
    private var grid = (columns: 0, count: 0)
    private var stream: UInt64 = 0
    /// Each sample until this time replaces the background.
    private var learnsUntil = Self.never
    private var last = Self.never
    /// Time of the first of the latest consecutive samples with enough differing cells; nil if the last had too few.
    private var firstHit: MonotonicTime?
    private var lastMotion = Self.never

    package private(set) var isMoving = false
    /// Percentage of watched cells that differ in the last sample.
    package private(set) var share = 0.0
    /// Largest share since the motion began, or of the last motion.
    package private(set) var largestShare = 0.0

    /// Learning time after the start of a stream, while exposure and white balance settle.
    package static let startTime = Duration.seconds(3)
    /// Learning time after a change of light, while the camera adjusts its exposure.
    package static let lightTime = Duration.seconds(2)
    /// Time in which the background follows slow changes.
    package static let learningTime = Duration.seconds(10)
    /// Time after which an object at rest becomes background.
    package static let standingTime = Duration.seconds(10)
    /// Share of the cells that must get lighter, or darker, by more than ``lightStep`` at once for a change of light.
    private static let lightCells = 0.75
    private static let lightStep = Float(2)
    /// Minimum luma range of a valid sample: a uniform picture means a covered lens or a broken frame.
    private static let leastSpan = Float(8)

    package init(_ settings: MotionSettings) { self.settings = settings }

    /// Adds a sample exposed at `moment`, in order of time; `stream` is the number of the camera's stream.
    package mutating func add(_ sample: FrameStatistics, stream: UInt64, at moment: MonotonicTime) -> Change? {
        if stream != self.stream || sample.columns != grid.columns || sample.cells.count != grid.count {
            begin(sample, stream)
            learnsUntil = moment + Self.startTime
        }
        let passed = moment - last
        last = moment
        let lumas = places.map { sample.cells[$0].luma }
        guard let least = lumas.min(), let most = lumas.max(), most - least >= Self.leastSpan else {
            return conclude(isHit: false, at: moment)
        }
        guard cells.count == lumas.count, moment >= learnsUntil else {
            learn(lumas)
            return conclude(isHit: false, at: moment)
        }
        share = compare(lumas, light(of: lumas), after: passed, at: moment)
        if isChangeOfLight(lumas) {
            learn(lumas)
            learnsUntil = moment + Self.lightTime
            return conclude(isHit: false, at: moment)
        }
        for (index, luma) in lumas.enumerated() { cells[index].last = luma }
        return conclude(isHit: share >= settings.area, at: moment)
    }

    /// Relearns the background, after the camera was closed or its controls changed.
    package mutating func restart() { stream = 0 }

    /// Ends motion, if any, when samples stop.
    package mutating func end() -> Change? {
        restart()
        firstHit = nil
        share = 0
        guard isMoving else { return nil }
        isMoving = false
        return .ended
    }

    /// Starts over for another stream or grid.
    private mutating func begin(_ sample: FrameStatistics, _ stream: UInt64) {
        self.stream = stream
        grid = (sample.columns, sample.cells.count)
        cells = []
        let rows = grid.count / max(1, grid.columns)
        let (size, cell) = (FrameSize(width: grid.columns, height: rows), FrameSize(width: 1, height: 1))
        places = (0..<grid.count).filter { [look = settings.lookWithMask] place in
            let (column, row) = (place % size.width, place / size.width)
            return !look.hides(CropRectangle(size: cell, left: column, top: row), of: size)
        }
    }

    /// Makes the whole sample the background.
    private mutating func learn(_ lumas: [Float]) {
        share = 0
        cells = lumas.map { Cell(background: $0, last: $0) }
    }

    private mutating func conclude(isHit: Bool, at moment: MonotonicTime) -> Change? {
        guard isHit else {
            firstHit = nil
            guard isMoving, moment - lastMotion >= settings.hold else { return nil }
            isMoving = false
            return .ended
        }
        // A single hit may be a flash or a damaged picture.
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

    /// Linear model of a change of light: exposure multiplies the luma, and stray light adds to it.
    private struct Light {
        /// Regularisation of the fit: with few tones in the background, gain is indistinguishable from offset, which is
        /// preferred.
        static let leastVariance = Float(25)
        /// Minimum difference as a multiple of the noise, even above ``MotionSettings/threshold``.
        static let noiseFactor = Float(5)

        var gain = Float(1)
        var offset = Float(0)
        /// Standard deviation of the cells that fit the model.
        var noise = Float(0)

        func seen(_ luma: Float) -> Float { min(max(0, luma * gain + offset), 255) }
    }

    /// Fits the light model to all watched cells, then repeats with the cells that fit.
    private func light(of lumas: [Float]) -> Light {
        var light = Light()
        for round in 0..<3 {
            var (count, sumX, sumY): (Float, Float, Float) = (0, 0, 0)
            var (sumXX, sumXY, sumSquares): (Float, Float, Float) = (0, 0, 0)
            for (x, y) in zip(cells.map(\.background), lumas) {
                let rest = y - light.seen(x)
                guard round == 0 || abs(rest) <= Float(settings.threshold) else { continue }
                sumSquares += rest * rest
                count += 1
                sumX += x
                sumY += y
                sumXX += x * x
                sumXY += x * y
            }
            // With fewer cells it would fit the moving object.
            guard count >= Float(lumas.count) / 2 else { return light }
            let (meanX, meanY) = (sumX / count, sumY / count)
            let (variance, covariance) = (sumXX / count - meanX * meanX, sumXY / count - meanX * meanY)
            light.gain = (covariance + Light.leastVariance) / (variance + Light.leastVariance)
            light.offset = meanY - light.gain * meanX
            if round > 0 { light.noise = (sumSquares / count).squareRoot() }
        }
        return light
    }

    /// Compares each cell with the background under this light and updates that; returns the percentage that differs.
    private mutating func compare(
        _ lumas: [Float],
        _ light: Light,
        after passed: Duration,
        at moment: MonotonicTime
    ) -> Double {
        let weight = Float(min(1, passed / Self.learningTime))
        let threshold = max(Float(settings.threshold), Light.noiseFactor * light.noise)
        var count = 0
        for (index, luma) in lumas.enumerated() {
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
        return 100 * Double(count) / Double(lumas.count)
    }

    /// True if nearly all cells became lighter, or darker, since the last sample.
    private func isChangeOfLight(_ lumas: [Float]) -> Bool {
        let steps = zip(lumas, cells).map { luma, cell in luma - cell.last }
        let (lighter, darker) = (steps.count { $0 > Self.lightStep }, steps.count { $0 < -Self.lightStep })
        return Double(max(lighter, darker)) >= Self.lightCells * Double(lumas.count)
    }
}

/// Motion detection settings; see `motion` in tintyped.yaml(5).
package struct MotionSettings: Hashable, Sendable {
    /// Minimum luma difference of a cell from the background, of 255.
    package var threshold = 8
    /// Minimum percentage of watched cells that differ.
    package var area = 0.5
    /// Areas of the upright picture that are ignored.
    package var mask: [MaskShape] = []
    /// Look of the camera: what it hides is ignored, too.
    package var look: CameraLook?
    /// Time without motion after which motion has ended.
    package var hold = Duration.seconds(10)

    package init() {}

    var lookWithMask: CameraLook {
        var look = look ?? CameraLook()
        look.mask += mask
        return look
    }

    package static let thresholdRange = 1...255
    /// Range of ``area`` in percent.
    package static let areaRange = 0.1...100
    package static let holdRange = Duration.seconds(1)...Duration.seconds(3600)
    package static let tag = "motion"
}
