// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeModel

/// Adds up pictures of one size, and gives their mean: noise that differs from picture to picture falls with the square
/// root of their number.
///
/// Several threads may add at once; one waits for the other as long as adding takes, about 0.2 ms a megapixel. It has
/// two bytes for each sample.
package final class PictureAccumulator: Sendable {
    private struct Sums {
        var size = FrameSize(width: 0, height: 0)
        var sampling = ChromaSampling.grey
        /// One array a plane, rows without padding.
        var planes: [[UInt16]] = []
        var count = 0
    }

    /// How many pictures make the mean, 2 to 64 (``StillRequest/averageRange``).
    package let count: Int
    private let sums = Mutex(Sums())

    /// An accumulator for `count` pictures.
    package init(count: Int) {
        // 64 times 255 is as much as a sum has room for four times over.
        precondition(StillRequest.averageRange.contains(count), "a sum of \(count) samples may not fit")
        self.count = count
    }

    /// Adds a picture; where it is the last, it becomes the mean of all.
    ///
    /// - Parameters:
    ///   - picture: a picture of the size and the chroma sampling of those before.
    ///   - note: called once it is added, before another call returns that its picture was the last.
    /// - Returns: whether it was the last.
    /// - Throws: ``ImagingError/sizeMismatch(_:expected:)`` or ``ImagingError/notJPEG(_:)`` for one that differs; it is not
    ///   added.
    package func add(
        _ picture: inout PlanarPicture,
        note: () -> Void = {}
    ) throws(ImagingError) -> Bool {
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
        // A division by multiplication, as many samples at once: exact for sums of up to 64 bytes.
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
