// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// The flashes that a camera saw: for each the frames around it, by their distance from it and by how much of the new
/// light they have.
///
/// Where in the record a flash lies follows from all flashes together: they come at random moments, alternately to light
/// and to dark, so the changes of the picture add up at one delay only.
struct FlashSightings {
    /// A band of rows of a frame close to a flash.
    struct Point {
        /// From the flash to the stamp of the frame, in seconds.
        let distance: Double
        /// The middle of the band: 0 is the top of the picture, 1 the bottom.
        let place: Double
        /// The share of the exposure that was after the flash, 0 to 1 but for noise.
        let share: Double
        /// Whether the flash fell into its exposure, and neither close to its begin nor to its end.
        let isPartial: Bool
    }

    /// A flash that was seen.
    struct Flash {
        /// Whether the light went out.
        let isDark: Bool
        let points: [Point]
    }

    /// The least change of light that counts, of 1 for all that there is from black to white.
    static let leastContrast = 0.02
    /// The longest delay between a flash and the stamp of its frame that is looked for, in seconds.
    static let longestDelay = 1.0

    /// The time from one frame to the next, in seconds.
    let interval: Double
    private(set) var flashes: [Flash] = []

    /// The flashes at `moments` that are seen in `frames`, both in order.
    init(_ frames: [BrightFrame], _ moments: [MonotonicTime]) {
        let origin = frames.first?.stamp ?? MonotonicTime(nanoseconds: 0)
        let stamps = frames.map { ($0.stamp - origin) / .seconds(1) }
        let times = moments.map { ($0 - origin) / .seconds(1) }
        let spacings = zip(stamps.dropFirst(), stamps).map { $0 - $1 }.sorted()
        guard let interval = spacings.isEmpty ? nil : spacings[spacings.count / 2], interval > 0 else {
            self.interval = 0
            return
        }
        self.interval = interval
        let record = Record(stamps: stamps, bands: frames.map(\.bands), interval: interval)
        // One that follows on another too closely cannot be told from it.
        let clear = times.indices.filter { index in
            (index == 0 || times[index] - times[index - 1] >= 5 * interval)
                && (index + 1 == times.count || times[index + 1] - times[index] >= 5 * interval)
        }
        let delays = stride(from: -4 * interval, through: Self.longestDelay + 3 * interval, by: interval / 2)
        let seen = delays.map { delay in (delay, record.contrast(times, clear, at: delay)) }
        let totals = seen.map { $0.1.reduce(0) { $0 + abs($1) } }
        guard let best = totals.max(), let peak = totals.firstIndex(of: best) else { return }
        // At some delays on end the frames before and after all flashes are those that show the most: the middle of them.
        let first = totals[..<peak].lastIndex { $0 < 0.9 * best }.map { $0 + 1 } ?? 0
        let last = totals[peak...].firstIndex { $0 < 0.9 * best }.map { $0 - 1 } ?? totals.count - 1
        let middle = (first + last) / 2
        let (delay, contrast) = seen[middle]
        let strongest = contrast.map(abs).max() ?? 0
        let bands = contrast.indices.filter { abs(contrast[$0]) >= max(Self.leastContrast, strongest / 4) }
        flashes = clear.compactMap { record.flash(times[$0], $0 % 2 == 0, bands, contrast, at: delay) }
    }
}

/// The brightness of all frames, in seconds from the first.
private struct Record {
    let stamps: [Double]
    let bands: [[Double]]
    let interval: Double

    /// The frames that show the light before and after a change that shows at `moment`, well apart from it; nil where one
    /// is missing.
    private func surroundings(of moment: Double) -> (before: Int, after: Int)? {
        let after = stamps.partitioningIndex { $0 >= moment + 2 * interval }
        let before = stamps.partitioningIndex { $0 > moment - 2 * interval } - 1
        guard before >= 0, after < stamps.count, moment - stamps[before] <= 4 * interval,
            stamps[after] - moment <= 4 * interval
        else { return nil }
        return (before, after)
    }

    /// The mean change of each band, flashes of an odd number counted the other way, if they show after `delay`.
    func contrast(_ times: [Double], _ clear: [Int], at delay: Double) -> [Double] {
        var sum = [Double](repeating: 0, count: BrightFrame.bandCount)
        for index in clear {
            guard let (before, after) = surroundings(of: times[index] + delay) else { continue }
            for band in sum.indices {
                sum[band] += (bands[after][band] - bands[before][band]) * (index % 2 == 0 ? 1 : -1)
            }
        }
        return sum.map { $0 / Double(max(1, clear.count)) }
    }

    /// One flash by the `used` bands; nil where none of them shows it.
    func flash(
        _ time: Double,
        _ isEven: Bool,
        _ used: [Int],
        _ contrast: [Double],
        at delay: Double
    ) -> FlashSightings.Flash? {
        guard let (before, after) = surroundings(of: time + delay) else { return nil }
        var points: [FlashSightings.Point] = []
        var isDark = false
        for band in used {
            let change = bands[after][band] - bands[before][band]
            guard change * contrast[band] * (isEven ? 1 : -1) > 0, abs(change) >= abs(contrast[band]) / 2 else {
                continue
            }
            isDark = change < 0
            let shares = (before...after).map { (bands[$0][band] - bands[before][band]) / change }
            let first = shares.firstIndex { $0 >= 0.5 } ?? 0
            for (index, share) in shares.enumerated() {
                points.append(
                    FlashSightings.Point(
                        distance: stamps[before + index] - time,
                        place: (Double(band) + 0.5) / Double(BrightFrame.bandCount),
                        share: share,
                        // No exposure takes longer than an interval: what is farther from the change is noise.
                        isPartial: (first - 1...first).contains(index) && (0.15...0.85).contains(share)
                    )
                )
            }
        }
        return points.isEmpty ? nil : FlashSightings.Flash(isDark: isDark, points: points)
    }
}

extension [Double] {
    /// The first index of which `isBehind` holds, where it holds for all from there on.
    fileprivate func partitioningIndex(_ isBehind: (Double) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
