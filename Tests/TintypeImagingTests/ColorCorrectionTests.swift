// SPDX-License-Identifier: Apache-2.0
internal import Testing
internal import TintypeModel

@testable internal import TintypeImaging

struct ColorCorrectionTests {
    @Test(arguments: Layouts.encodings)
    func `the kind of correction follows from matrix and range`(_ encoding: ColorEncoding) {
        let correction = ColorCorrection(from: encoding)
        #expect((correction == nil) == (encoding == .jfif))
        #expect((correction == .range) == (encoding.matrix == .bt601 && encoding != .jfif))
    }

    @Test(arguments: Layouts.encodings.filter { $0 != .jfif })
    func `every sample is within 0.54 of the exact value`(_ encoding: ColorEncoding) throws {
        let correction = try #require(ColorCorrection(from: encoding))
        var worst = 0.0
        for luma in [0, 3, 16, 17, 80, 101, 128, 180, 235, 250, 255] {
            for cb in stride(from: 0, through: 255, by: 7) {
                for cr in stride(from: 0, through: 255, by: 7) {
                    let result = corrected(UInt8(luma), UInt8(cb), UInt8(cr), correction)
                    let exact = exactCorrection(Double(luma), Double(cb), Double(cr), encoding)
                    worst = max(worst, zip(result, exact).map { abs(Double($0) - $1) }.max() ?? .infinity)
                }
            }
        }
        #expect(worst < 0.54)
    }

    /// Corrects one pair of pixels of one colour with the loops of the encoder.
    private func corrected(_ luma: UInt8, _ cb: UInt8, _ cr: UInt8, _ correction: ColorCorrection) -> [UInt8] {
        var (lumaRow, cbRow, crRow, sums) = ([luma, luma], [cb], [cr], [Int32(0)])
        switch correction {
        case .matrix(let matrix):
            unsafe RowKernels.sumChroma(&cbRow, &crRow, by: matrix, into: &sums, count: 1)
            unsafe RowKernels.correctLuma(&lumaRow, adding: &sums, by: matrix, pairs: 1)
            unsafe RowKernels.correctChroma(&cbRow, &crRow, by: matrix, count: 1)
        case .range:
            unsafe RowKernels.stretch(&lumaRow, by: .luma, count: 2)
            unsafe RowKernels.stretch(&cbRow, by: .chroma, count: 1)
            unsafe RowKernels.stretch(&crRow, by: .chroma, count: 1)
        }
        return [lumaRow[1], cbRow[0], crRow[0]]
    }
}
