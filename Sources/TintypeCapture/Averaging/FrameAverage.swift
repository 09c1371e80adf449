// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
package import TintypeDevice
internal import TintypeImaging
internal import TintypeModel

/// Mean of several consecutive frames, summed by the encoding threads; the thread that adds the last one gets it.
///
/// Any thread; blocks while another thread adds a frame.
package final class FrameAverage: Sendable {
    private struct Findings {
        var verdict = Verdict.intact
        var faults: [PictureFault] = []
    }

    /// Stamp of the first frame, used for the averaged picture.
    package let stamp: FrameStamp
    private let sum: PictureAccumulator
    private let findings = Mutex(Findings())

    package init(count: Int, first stamp: FrameStamp) {
        self.stamp = stamp
        sum = PictureAccumulator(count: count)
    }

    /// Adds a frame decoded into `planes`; the last one replaces them with the mean of all frames.
    ///
    /// Returns the worst verdict and all faults for the last frame, else nil; throws as ``PictureAccumulator/add(_:)``.
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
    package static func == (left: FrameAverage, right: FrameAverage) -> Bool { left === right }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Verdict {
    fileprivate func orWorse(_ other: Verdict) -> Verdict {
        let order: [Verdict] = [.intact, .sound, .tolerated, .damaged]
        return order.last { $0 == self || $0 == other } ?? self
    }
}
