// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeModel

/// Averages pictures of one size, so that noise falls with the square root of their number; thread-safe.
///
/// Adding takes about 0.2 ms per megapixel under a lock. Uses two bytes per sample.
package final class PictureAccumulator: Sendable {
    private struct Sums {
        var size = FrameSize(width: 0, height: 0)
        var sampling = ChromaSampling.grey
        /// Rows without padding.
        var planes: [[UInt16]] = []
        var count = 0
    }

    /// 2 to 64 (``StillRequest/averageRange``).
    package let count: Int
    private let sums = Mutex(Sums())

    package init(count: Int) {
        // 64 * 255 is about a quarter of the range of UInt16.
        precondition(StillRequest.averageRange.contains(count), "a sum of \(count) samples may not fit")
        self.count = count
    }

    /// Adds a picture; overwrites the last one with the mean of all and returns true.
    ///
    /// Calls `note` under the lock after adding, so before any call returns true. Throws
    /// ``ImagingError/sizeMismatch(_:expected:)`` or ``ImagingError/notJPEG(_:)`` for another size or chroma sampling
    /// than before; the picture is not added then.
    package func add(_ picture: inout PlanarPicture, note: () -> Void = {}) throws(ImagingError) -> Bool {
        try sums.withLock { (sums) throws(ImagingError) in
            if sums.count == 0 {
                (sums.size, sums.sampling) = (picture.size, picture.sampling)
                sums.planes = (0..<picture.planeCount).map { index in
                    let plane = unsafe picture.plane(index)
                    return unsafe [UInt16](repeating: 0, count: plane.width * plane.height)
                }
            }
            guard sums.size == picture.size else { throw .sizeMismatch(picture.size, expected: sums.size) }
            guard sums.sampling == picture.sampling else {
                throw .notJPEG("its chroma is sampled in another way than that of the pictures before it")
            }
            sums.count += 1
            for index in 0..<picture.planeCount { Self.add(picture, index, to: &sums.planes[index]) }
            note()
            guard sums.count == count else { return false }
            for index in 0..<picture.planeCount { mean(of: sums.planes[index], into: picture, index) }
            sums.planes = []
            return true
        }
    }

    private static func add(_ picture: borrowing PlanarPicture, _ index: Int, to sums: inout [UInt16]) {
        let plane = unsafe picture.plane(index)
        unsafe sums.withUnsafeMutableBufferPointer { sums in
            guard let start = sums.baseAddress else { return }
            for row in unsafe 0..<plane.height {
                let (source, target) = unsafe (plane.row(row), start + row * plane.width)
                for column in unsafe 0..<plane.width { unsafe target[column] &+= UInt16(source[column]) }
            }
        }
    }

    private func mean(of sums: [UInt16], into picture: borrowing PlanarPicture, _ index: Int) {
        let plane = unsafe picture.plane(index)
        // Division by multiplication, which vectorises; exact for sums of up to 64 samples.
        let (factor, half) = (UInt32(((1 << 20) + count - 1) / count), UInt32(count / 2))
        unsafe sums.withUnsafeBufferPointer { sums in
            guard let start = sums.baseAddress else { return }
            for row in unsafe 0..<plane.height {
                let (source, target) = unsafe (start + row * plane.width, plane.row(row))
                for column in unsafe 0..<plane.width {
                    let sum = unsafe UInt32(source[column]) &+ half
                    unsafe target[column] = UInt8(truncatingIfNeeded: (sum &* factor) &>> 20)
                }
            }
        }
    }
}
