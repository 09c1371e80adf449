// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

/// Finds the lead of a camera from flashes of light at known moments.
///
/// A row at place y, 0 to 1 from the top, whose exposure has the share p after the flash, is stamped
/// `lead − readout · y − exposure · (1 − p)` after the flash, if the light went out. If it went on that comes earlier by a
/// part of the exposure, for a bright lamp saturates the picture before its exposure ends. The four are the least squares
/// over all rows into whose exposure a flash fell. Where an exposure is too short to be met by flashes, the last frames with
/// the old light and the first with the new one bound the lead, for all flashes together closely.
///
/// What is left of an error: half of the gap between these bounds, about an interval divided by the number of flashes; and
/// all that lies between the moment of a flash as it is told and its light.
package enum LeadEstimator {
    /// The fewest flashes that a lead is found from.
    package static let fewest = 8
    /// The fewest rows into whose exposure a flash fell that exposure and readout are found from.
    private static let fewestPartial = 16

    /// A camera's timing, in seconds.
    private struct Timing {
        var lead: Double
        var readout = 0.0
        var exposure = 0.0
        /// How much earlier light shows than dark.
        var saturation = 0.0
        /// By how much the lead may be off either way, where it is only bounded.
        var uncertainty = 0.0
    }

    /// The lead by flashes at `moments`, each a change from dark to light or back, at random distances.
    ///
    /// - Parameters:
    ///   - frames: the frames of that time, in order.
    ///   - moments: when the light changed, in order.
    /// - Returns: the estimate; nil where fewer than ``fewest`` flashes, or fewer than three quarters of them, are seen.
    package static func estimate(_ frames: [BrightFrame], _ moments: [MonotonicTime]) -> LeadEstimate? {
        let sightings = FlashSightings(frames, moments)
        let flashes = sightings.flashes
        guard flashes.count >= fewest, flashes.count * 4 >= moments.count * 3 else { return nil }
        let timing =
            leastSquares(flashes, within: 1.5 * sightings.interval)
            ?? bounds(flashes.flatMap(\.points), sightings.interval)
        let leads = flashes.map { lead(by: $0, timing) }.sorted()
        let median = leads[leads.count / 2]
        let distances = leads.map { abs($0 - median) }.sorted()
        return LeadEstimate(
            // Where the last row is exposed first, the frame begins with that.
            lead: .seconds(max(0, median + max(0, -timing.readout))),
            spread: .seconds(max(distances[distances.count * 9 / 10], timing.uncertainty)),
            seen: flashes.count,
            exposure: .seconds(timing.exposure),
            readout: .seconds(abs(timing.readout))
        )
    }

    /// The timing by rows into whose exposure a flash fell; nil where they are too few or make no sense.
    private static func leastSquares(_ flashes: [FlashSightings.Flash], within limit: Double) -> Timing? {
        var rows: [[Double]] = []
        var distances: [Double] = []
        let hasPlaces = Set(flashes.flatMap(\.points).map(\.place)).count > 2
        for flash in flashes {
            for point in flash.points where point.isPartial {
                rows.append([1, hasPlaces ? -point.place : 0, point.share - 1, flash.isDark ? 0 : -1])
                distances.append(point.distance)
            }
        }
        guard rows.count >= fewestPartial, let solution = LinearFit.solve(rows, distances),
            (0...limit).contains(solution[2]), abs(solution[1]) <= limit, abs(solution[3]) <= limit
        else { return nil }
        return Timing(lead: solution[0], readout: solution[1], exposure: solution[2], saturation: solution[3])
    }

    /// The timing of exposures that hardly any flash falls into: for each place the distance that best parts frames with
    /// the old light from those with the new one.
    private static func bounds(_ points: [FlashSightings.Point], _ interval: Double) -> Timing {
        let places = Set(points.map(\.place)).sorted()
        let gaps = places.map { place in gap(points.filter { $0.place == place }.sorted { $0.distance < $1.distance }) }
        let edges = gaps.map { ($0.lowerBound + $0.upperBound) / 2 }
        let uncertainty = gaps.map { ($0.upperBound - $0.lowerBound) / 2 }.max() ?? 0
        let solution = places.count > 2 ? LinearFit.solve(places.map { [1, -$0] }, edges) : nil
        guard let solution, abs(solution[1]) <= 1.5 * interval else {
            return Timing(lead: edges.reduce(0, +) / Double(max(1, edges.count)), uncertainty: uncertainty)
        }
        return Timing(lead: solution[0], readout: solution[1], uncertainty: uncertainty)
    }

    /// The distances between which frames begin to have the new light, with the fewest that say otherwise; `points` in
    /// order.
    private static func gap(_ points: [FlashSightings.Point]) -> ClosedRange<Double> {
        var wrong = points.count { $0.share < 0.5 }
        var best = (wrong: Int.max, first: 0, last: 0)
        for index in 1..<max(1, points.count) {
            wrong += points[index - 1].share < 0.5 ? -1 : 1
            if wrong < best.wrong { best = (wrong, index, index) }
            if wrong == best.wrong { best.last = index }
        }
        guard best.wrong < .max else {
            let only = points.first?.distance ?? 0
            return only...only
        }
        return points[best.first - 1].distance...points[best.last].distance
    }

    /// The lead that fits one flash: by its rows with a part of each light, else the one next to `timing` that its
    /// frames allow.
    private static func lead(by flash: FlashSightings.Flash, _ timing: Timing) -> Double {
        func lead(_ point: FlashSightings.Point, share: Double) -> Double {
            point.distance + timing.readout * point.place + timing.exposure * (1 - share)
                + (flash.isDark ? 0 : timing.saturation)
        }
        let partial = flash.points.filter { timing.exposure > 0 && $0.isPartial }
        guard partial.isEmpty else {
            return partial.reduce(0) { $0 + lead($1, share: $1.share) } / Double(partial.count)
        }
        let lowest = flash.points.filter { $0.share < 0.5 }.map { lead($0, share: 0.15) }.max() ?? -.infinity
        let highest = flash.points.filter { $0.share >= 0.5 }.map { lead($0, share: 0.85) }.min() ?? .infinity
        return max(lowest, min(highest, timing.lead))
    }
}
