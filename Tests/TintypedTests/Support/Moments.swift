// SPDX-License-Identifier: Apache-2.0
import TintypeModel

@testable import tintyped

/// The moment that a text such as `2026-11-21 12:00`, `… 12:00:07` or `… 12:00:07.5` means in UTC.
func moment(_ text: String) -> Timestamp {
    let parts = text.split(separator: " ").map(String.init)
    let clock = parts[1].utf8.count == 5 ? parts[1] + ":00" : parts[1]
    guard let moment = Timestamp("\(parts[0])T\(clock)Z") else { preconditionFailure("no moment: \(text)") }
    return moment
}

/// Places with their clocks: written down here, so that the tests need no zone files.
extension LocalZone {
    static let utc = LocalZone { _ in 0 }

    /// A zone that is ahead of UTC by `hours`, and by others from each of these moments on.
    static func changing(_ hours: Double, _ changes: (String, Double)...) -> LocalZone {
        let changes = changes.map { (moment($0.0), $0.1) }
        return LocalZone { now in Int((changes.last { $0.0 <= now }?.1 ?? hours) * 3600) }
    }

    /// Summer time from 2:00 to 3:00 on 29 March, back from 3:00 to 2:00 on 25 October 2026.
    static let berlin = changing(1, ("2026-03-29 01:00", 2), ("2026-10-25 01:00", 1))
    /// Summer time from 0:00 to 1:00 on 8 March, back from 1:00 to 0:00 on 1 November 2026.
    static let havana = changing(-5, ("2026-03-08 05:00", -4), ("2026-11-01 05:00", -5))
    /// Half an hour: back from 2:00 to 1:30 on 5 April, from 2:00 to 2:30 on 4 October 2026.
    static let lordHowe = changing(11, ("2026-04-04 15:00", 10.5), ("2026-10-03 15:30", 11))
    /// Had no 30 December 2011.
    static let apia = changing(-10, ("2011-12-30 10:00", 14))
}
