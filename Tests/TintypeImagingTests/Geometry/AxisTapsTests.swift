// SPDX-License-Identifier: Apache-2.0
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeImaging

struct AxisTapsTests {
    private func axis(_ count: Int, origin: Int, length: Int, to result: Int, isMirrored: Bool) -> AxisTaps.Axis {
        AxisTaps.Axis(
            sampleCount: count,
            pixels: 8,
            pixelDivisor: 8,
            origin: origin,
            length: length,
            resultLength: result,
            resultPixels: 1,
            resultCount: result,
            isMirrored: isMirrored
        )
    }

    @Test func `weights add up to the total and stay inside the region`() {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<400 {
            let count = Int.random(in: 1...900, using: &generator)
            let origin = Int.random(in: 0..<count, using: &generator)
            let length = Int.random(in: 1...count - origin, using: &generator)
            let result = Int.random(in: 1...length, using: &generator)
            let isMirrored = Bool.random(using: &generator)
            for total in [256, 65536] {
                let axis = axis(count, origin: origin, length: length, to: result, isMirrored: isMirrored)
                let taps = AxisTaps(axis, total: total)
                var place = 0
                for part in taps.parts {
                    let weights = taps.weights[place..<place + Int(part.count)]
                    #expect(weights.reduce(0, +) == UInt32(total))
                    #expect(part.first >= origin && Int(part.first + part.count) <= origin + length)
                    place += Int(part.count)
                }
                #expect(place == taps.weights.count && taps.parts.count == result)
                #expect(taps.range == origin..<origin + length)
            }
        }
    }

    @Test func `an unscaled axis is copied or reversed`() {
        #expect(AxisTaps(axis(90, origin: 3, length: 80, to: 80, isMirrored: false), total: 256).kind == .copied)
        #expect(AxisTaps(axis(90, origin: 3, length: 80, to: 80, isMirrored: true), total: 256).kind == .reversed)
        #expect(AxisTaps(axis(90, origin: 3, length: 80, to: 79, isMirrored: false), total: 256).kind == .weighed)
    }

    @Test(arguments: [(100, 80, 37, 29), (64, 48, 16, 12), (640, 11, 3, 2), (33, 500, 33, 1), (257, 300, 1, 1)])
    func `a scaled plane is the area average`(_ width: Int, _ height: Int, _ newWidth: Int, _ newHeight: Int) throws {
        let grid = Grid.random(width, height, seed: UInt64(width))
        let layout = PlanarBytes(.grey, width, height, seed: UInt64(width))
        #expect(layout.planes[0] == grid)
        var encoder = JPEGEncoder()
        var picture = PlanarPicture()
        // Set directly: the width and height of a rendering preserve the aspect ratio.
        let source = layout.layout.size
        let plan = GeometryPlan(
            source: source,
            region: CropRectangle(size: source, left: 0, top: 0),
            orientation: PictureOrientation(flip: nil, turn: .none),
            size: FrameSize(width: newWidth, height: newHeight)
        )
        let bytes = layout.bytes
        try encoder.draw(bytes.rawSpan, layout: layout.layout, plan: plan, into: &picture)
        let exact = grid.areaAverage(newWidth, newHeight)
        let worst = zip(picture.grid(0).samples, exact).map { abs(Double($0) - $1) }.max() ?? 255
        #expect(worst < 1.5, "\(worst)")
        #expect(psnr(picture.grid(0).samples, against: exact) > 50)
    }
}
