// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A workshop with a window, a clock that shows the local time, and a printer at work on the bench.
extension PatternScene {
    func drawWorkshop(_ outside: SceneBrush) {
        let brush = outside.inside
        brush.fillGradient((0, 0, 1600, 640), [0xA9B0AE, 0xC2C6C0, 0xB5B8B0], isLit: true)
        brush.fillGradient((0, 640, 1600, 260), [0x8F887E, 0x3A3631], isLit: true)
        brush.fillGradient((112, 112, 376, 296), brush.light.sky)
        outside.fill(.polygon([112, 370], [230, 330], [360, 362], [488, 340], [488, 408], [112, 408]), 0x7E9D80)
        for x in [Float(92), 290, 488] { brush.fill(.box(x, 100, 20, 320), 0xEDEAE2) }
        for y in [Float(96), 250, 404] { brush.fill(.box(92, y, 416, 18), 0xEDEAE2) }
        brush.fill(.box(76, 420, 448, 16), 0xD2CDC2)
        brush.fill(.disc(1390, 190, 92), 0x33383C)
        brush.fill(.disc(1390, 190, 82), 0xF5F2EA)
        for hour in 0..<12 {
            let turn = Float(hour) / 12
            brush.fill(.line(Self.hand(turn, 64), Self.hand(turn, 74), hour % 3 == 0 ? 7 : 4), 0x33383C)
        }
        for x in [Float(90), 1470] { brush.fill(.box(x, 640, 44, 200), 0x5E4630) }
        brush.fill(.box(40, 602, 1520, 40), 0xA67C4E)
        brush.fill(.box(40, 602, 1520, 8), 0xC79B68)
        // The printer: frame and bed.
        for x in [Float(576), 924] { brush.fill(.box(x, 392, 20, 190), 0x2B2F33) }
        for (y, height) in [(Float(384), Float(18)), (576, 26)] { brush.fill(.box(560, y, 400, height), 0x2B2F33) }
        brush.fill(.box(640, 562, 240, 14), 0x4A5157)
        brush.fill(.line([800, 0], [800, 40], 5), 0x2A2D30)
        brush.fill(.polygon([770, 34], [830, 34], [905, 84], [695, 84]), 0x3A4A50)
        for reach in 1...5 {
            let width = Float(reach) * 110
            let cone = SceneOutline.polygon([720, 84], [880, 84], [800 + width, 602], [800 - width, 602])
            brush.glow(cone, 0xFFE0A6, opacity: 0.05)
        }
        brush.glow(around: [800, 90], [240, 130], 0xFFE9BC, opacity: 0.2)
        brush.glow(.disc(800, 86, 66, 13), 0xFFF4D8)
    }

    func drawWorkshopFigures(_ outside: SceneBrush, _ time: Double, _ clock: Int) {
        let brush = outside.inside
        for (period, length, width, color) in [
            (43_200, Float(46), Float(8), UInt32(0x33383C)), (3600, 66, 6, 0x33383C), (60, 72, 2.5, 0xC14D3E),
        ] {
            let turn = Float(clock % period) / Float(period)
            brush.fill(.line([1390, 190], Self.hand(turn, length), width), color)
        }
        drawPrint(brush, time)
        guard let crossing = crossing(at: time) else { return }
        var walker = SceneWalker(x: -160 + crossing.part * 1920, ground: 884, height: 560)
        walker.stride = Float(time) * 5.5
        walker.isLeftward = crossing.number % 2 == 1
        walker.coat = [0x34577A, 0xB9822B][crossing.number % 2]
        walker.draw(brush)
    }

    /// A vase that grows for two minutes, layer by layer, and the head above it.
    private func drawPrint(_ brush: SceneBrush, _ time: Double) {
        let layers = Int((time / 2).truncatingRemainder(dividingBy: 60))
        for layer in 0..<layers {
            let width = 46 + 16 * sinf(Float(layer) / 9)
            brush.fill(.box(760 - width, 560 - Float(layer) * 2, 2 * width, 2.4), layer % 8 < 4 ? 0xE8833A : 0xDD7630)
        }
        let (top, x) = (558 - Float(layers) * 2, 760 + 56 * sinf(Float(time) * 3))
        brush.fill(.box(586, top - 46, 348, 12), 0x6C757C)
        brush.fill(.box(x - 20, top - 62, 40, 42), 0x3A4147)
        brush.fill(.polygon([x - 8, top - 20], [x + 8, top - 20], [x, top - 4]), 0xC9A15A)
        brush.glow(.disc(x, top - 2, 7), 0xFFB867, opacity: 0.7)
    }

    /// End of a hand of the clock, `length` long, after a part of a turn.
    private static func hand(_ turn: Float, _ length: Float) -> SIMD2<Float> {
        [1390 + length * sinf(turn * 2 * .pi), 190 - length * cosf(turn * 2 * .pi)]
    }
}
