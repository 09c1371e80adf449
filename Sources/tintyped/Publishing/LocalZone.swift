// SPDX-License-Identifier: Apache-2.0
internal import TintypeImaging
internal import TintypeModel

/// How far the wall clock of a place is ahead of UTC at each moment, summer time and all.
///
/// Moments and lengths are in microseconds here; moments count from 1970 in UTC.
struct LocalZone: Sendable {
    /// Microseconds of a day by the wall clock.
    static let day: Int64 = 86_400_000_000
    private static let second: Int64 = 1_000_000
    /// Longer than any clock was ever set back or forward at once: the date line was moved by a day.
    private static let longestChange: Int64 = 26 * 3600 * second

    private let seconds: @Sendable (Timestamp) -> Int

    /// A zone that is so many seconds ahead of UTC at each moment.
    init(secondsFromUTC: @escaping @Sendable (Timestamp) -> Int) { seconds = secondsFromUTC }

    /// That of the daemon: `TZ`, or /etc/localtime as it was at the start.
    static let ofDaemon = LocalZone { LocalTime($0).secondsFromUTC }

    /// A time for which the zone stays as it is and the day does, too.
    struct Stretch {
        /// The first moment after it.
        let end: Int64
        /// How far the zone is ahead of UTC.
        let offset: Int64
        /// The local day, counted from 1970-01-01.
        let day: Int
        /// When the clock was last set, within the last 26 hours; nil if it was not.
        let change: Change?

        /// The moment at which the clock shows the begin of the day, whether or not it ever does.
        var midnight: Int64 { Int64(day) * LocalZone.day - offset }
    }

    /// The clock is set, as for summer time.
    struct Change {
        /// The first moment with the new offset.
        let moment: Int64
        /// By how much it is set forward: the wall clock never shows that time; 0 or less for back.
        let forward: Int64

        /// The first moment that the clock has not shown the time of before; ``moment`` where it was not set back.
        var repeatedUntil: Int64 { moment + max(0, -forward) }
    }

    /// The rest of the stretch that `moment` is in.
    func stretch(at moment: Int64) -> Stretch {
        let offset = offset(at: moment)
        let wall = moment + offset
        let day = (wall - (wall < 0 ? Self.day - 1 : 0)) / Self.day
        let midnight = (day + 1) * Self.day - offset
        let before = moment - Self.longestChange
        return Stretch(
            end: change(after: moment, through: midnight) ?? midnight,
            offset: offset,
            day: Int(day),
            change: change(after: before, through: moment).map { change in
                Change(moment: change, forward: offset - self.offset(at: before))
            }
        )
    }

    private func offset(at moment: Int64) -> Int64 {
        Int64(seconds(Timestamp(microseconds: moment))) * Self.second
    }

    /// The first moment at which the zone is not what it is at `start`, if it is another at `end`.
    private func change(after start: Int64, through end: Int64) -> Int64? {
        let before = offset(at: start)
        guard offset(at: end) != before else { return nil }
        // Zones change at whole seconds.
        var (low, high) = (Self.floor(start), Self.floor(end))
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if offset(at: middle * Self.second) == before { low = middle } else { high = middle }
        }
        return high * Self.second
    }

    private static func floor(_ moment: Int64) -> Int64 { (moment - (moment < 0 ? second - 1 : 0)) / second }
}
