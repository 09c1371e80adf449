// SPDX-License-Identifier: Apache-2.0
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeImaging

struct PictureAccumulatorTests {
    /// Picture whose samples are the values of `next`.
    private func picture(_ size: FrameSize, _ sampling: ChromaSampling, _ next: () -> UInt8) -> PlanarPicture {
        var planes = PlanarPicture()
        planes.reset(to: size, sampling)
        for index in 0..<planes.planeCount {
            let plane = unsafe planes.plane(index)
            for row in unsafe 0..<plane.height {
                for column in unsafe 0..<plane.width { unsafe plane.row(row)[column] = next() }
            }
        }
        return planes
    }

    private func samples(_ picture: borrowing PlanarPicture) -> [[UInt8]] { picture.grids.map(\.samples) }

    @Test(arguments: [2, 3, 5, 7, 16, 31, 47, 63, 64])
    func `the mean of every sample is exact and rounded to nearest`(count: Int) throws {
        let accumulator = PictureAccumulator(count: count)
        let size = FrameSize(width: 67, height: 5)
        var random = SeededGenerator(seed: UInt64(count))
        var sums = [[Int]](repeating: [], count: 3)
        for index in 1...count {
            // White pictures at the end, to reach the largest sums.
            var planes = picture(size, .quarter) { index > count / 2 ? 255 : .random(in: 0...255, using: &random) }
            let samples = samples(planes)
            for plane in 0..<3 {
                if sums[plane].isEmpty { sums[plane] = [Int](repeating: 0, count: samples[plane].count) }
                for place in samples[plane].indices { sums[plane][place] += Int(samples[plane][place]) }
            }
            let isLast = try accumulator.add(&planes)
            #expect(isLast == (index == count))
            guard isLast else {
                let after = self.samples(planes)
                #expect(after == samples)
                continue
            }
            let mean = self.samples(planes)
            for plane in 0..<3 { #expect(mean[plane].map(Int.init) == sums[plane].map { ($0 + count / 2) / count }) }
        }
    }

    @Test func `averaging equal samples does not change them`() throws {
        for value: UInt8 in [0, 1, 254, 255] {
            let accumulator = PictureAccumulator(count: 64)
            for index in 1...64 {
                var planes = picture(FrameSize(width: 9, height: 9), .grey) { value }
                let isLast = try accumulator.add(&planes)
                #expect(isLast == (index == 64))
                let after = samples(planes)[0]
                #expect(after.allSatisfy { $0 == value })
            }
        }
    }

    @Test func `a picture of another format is refused and not counted`() throws {
        let accumulator = PictureAccumulator(count: 2)
        let size = FrameSize(width: 16, height: 16)
        #expect(try add(10, size, .quarter, to: accumulator) == nil)
        let other = FrameSize(width: 16, height: 8)
        #expect(throws: ImagingError.sizeMismatch(other, expected: size)) {
            try add(99, other, .quarter, to: accumulator)
        }
        #expect(throws: ImagingError.self) { try add(99, size, .half, to: accumulator) }
        let mean = try #require(try add(20, size, .quarter, to: accumulator))
        #expect(mean.allSatisfy { $0.allSatisfy { $0 == 15 } })
    }

    /// Adds a picture of one shade and returns the mean if it was the last.
    private func add(
        _ shade: UInt8,
        _ size: FrameSize,
        _ sampling: ChromaSampling,
        to accumulator: PictureAccumulator
    ) throws -> [[UInt8]]? {
        var planes = picture(size, sampling) { shade }
        let isLast = try accumulator.add(&planes)
        return isLast ? samples(planes) : nil
    }
}
