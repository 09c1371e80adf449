// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeModel

/// Codes before one camera, each in sight from the first picture in which it was read until ``absence`` after the last; any
/// thread, never blocks.
final class CodeSights: Sendable {
    private struct Key: Hashable {
        let kind: String
        let text: String
    }

    private struct Sight {
        let first: MonotonicTime
        var last: MonotonicTime
    }

    /// Time without a code that ends its sight: single pictures in which it cannot be read do not.
    static let absence = Duration.seconds(5)
    /// So that somebody with many codes cannot drown other events.
    static let mostInSight = 64

    private let sights = Mutex<[Key: Sight]>([:])

    /// Adds the codes of a picture exposed at `moment`, in order of time; returns those that have come into sight.
    func add(_ codes: [PictureCode], at moment: MonotonicTime) -> [PictureCode] {
        sights.withLock { sights in
            sights = sights.filter { moment - $0.value.last < Self.absence }
            return codes.filter { code in
                let key = Key(kind: code.kind, text: code.text)
                guard sights[key] == nil else {
                    sights[key]?.last = moment
                    return false
                }
                guard sights.count < Self.mostInSight else { return false }
                sights[key] = Sight(first: moment, last: moment)
                return true
            }
        }
    }

    /// True if a code was in sight at `moment`, which is about now.
    func covers(_ moment: MonotonicTime) -> Bool {
        sights.withLock { sights in
            sights.values.contains { $0.first <= moment && moment - $0.last < Self.absence }
        }
    }
}
