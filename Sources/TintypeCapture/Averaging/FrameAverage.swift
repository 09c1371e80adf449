// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
package import TintypeDevice
internal import TintypeImaging
internal import TintypeModel

/// One picture in the making, of several frames in a row: the encoding threads add them up, and whichever comes last
/// makes the picture of their mean.
///
/// Any thread; a thread that adds waits for another one that is adding.
package final class FrameAverage: Sendable {
    private struct Findings {
        var verdict = Verdict.intact
        var faults: [PictureFault] = []
    }

    /// The stamp of the first frame: the picture's.
    package let stamp: FrameStamp
    private let sum: PictureAccumulator
    private let findings = Mutex(Findings())

    /// Nothing yet, of `count` frames of which the first has this stamp.
    package init(count: Int, first stamp: FrameStamp) {
        self.stamp = stamp
        sum = PictureAccumulator(count: count)
    }

    /// Adds a frame that was drawn into `planes`; where it is the last, they become the mean of all.
    ///
    /// Returns the worst verdict and all faults if it was the last, else nil. Throws as ``PictureAccumulator/add(_:)``.
    func add(
        _ planes: inout PlanarPicture,
        _ verdict: Verdict,
        _ faults: [PictureFault]
    ) throws(ImagingError) -> (Verdict, [PictureFault])? {
        let isLast = try sum.add(&planes) {
            findings.withLock { findings in
                findings.verdict = findings.verdict.orWorse(verdict)
                findings.faults += faults.filter { !findings.faults.contains($0) }
            }
        }
        return isLast ? findings.withLock { ($0.verdict, $0.faults) } : nil
    }
}

extension FrameAverage: Hashable {
    /// Identity of the object.
    package static func == (left: FrameAverage, right: FrameAverage) -> Bool { left === right }
    /// Hashes the identity of the object.
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Verdict {
    /// The one of both that says less good of a picture.
    fileprivate func orWorse(_ other: Verdict) -> Verdict {
        let order: [Verdict] = [.intact, .sound, .tolerated, .damaged]
        return order.last { $0 == self || $0 == other } ?? self
    }
}
