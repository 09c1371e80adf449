// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A workshop with a window, a clock that shows the local time, and a printer at work on the bench.
extension PatternScene {
    func drawWorkshop(_ outside: SceneBrush) {
        let brush = outside.inside
        brush.fillGradient((0, 0, 1600, 640), [0xA9B0AE, 0xC2C6C0, 0xB5B8B0], isLit: true)
        brush.fillGradient((0, 640, 1600, 260), [0x6F6A63, 0x59554F], isLit: true)
        for line in 0..<9 {
            let x = Float(line) * 200 - 800
            brush.fill(.line([800 + x * 0.9, 640], [800 + x * 1.5, 900], 3), 0x45413C, opacity: 0.6)
        }
        brush.fillGradient((112, 112, 376, 296), brush.light.sky)
        outside.fill(.polygon([112, 370], [230, 330], [360, 362], [488, 340], [488, 408], [112, 408]), 0x7E9D80)
        for x in [Float(92), 290, 488] { brush.fill(.box(x, 100, 20, 320), 0xEDEAE2) }
        for y in [Float(96), 250, 404] { brush.fill(.box(92, y, 416, 18), 0xEDEAE2) }
        brush.fill(.box(76, 420, 448, 16), 0xD2CDC2)
        drawWall(brush)
        drawBench(brush)
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

    private func drawWall(_ brush: SceneBrush) {
        brush.fill(.box(608, 150, 420, 220), 0xB08D62)
        brush.fill(.box(608, 150, 420, 10), 0x7C6040, opacity: 0.6)
        for (x, length, color) in [
            (Float(645), Float(120), UInt32(0x3E6FA3)), (685, 150, 0xD9A441), (725, 105, 0xC14D3E),
        ] {
            brush.fill(.line([x, 185], [x, 185 + length], 9), 0x59636B)
            brush.fill(.line([x, 150 + length], [x, 185 + length], 20), color)
        }
        brush.fill(.line([800, 200], [800, 330], 16), 0x8A5A33)
        brush.fill(.line([768, 196], [832, 196], 26), 0x596066)
        brush.fill(.polygon([868, 190], [1000, 216], [1000, 232], [868, 246]), 0x9AA4AA)
        brush.fill(.line([868, 200], [868, 244], 30), 0x7A4C2C)
        brush.fill(.line([890, 300], [985, 300], 14), 0x6C757C)
        brush.fill(.disc(890, 300, 22), 0x6C757C)
        brush.fill(.disc(884, 300, 11), 0xB08D62)
        for (index, color) in [UInt32(0x3E6FA3), 0xD9A441, 0xC14D3E, 0x5B8A5E, 0x8A6FA8].enumerated() {
            let (x, height) = (1170 + Float(index) * 72, 50 + Float(index * 37 % 40))
            brush.fill(.box(x, 470 - height, 60, height), color)
            brush.fill(.box(x + 12, 482 - height, 36, 14), 0xF0EBDD, opacity: 0.85)
        }
        brush.fill(.box(1150, 470, 390, 14), 0x7A5A3A)
        brush.fill(.box(1150, 484, 390, 8), 0x000000, opacity: 0.18)
        brush.fill(.disc(1390, 190, 92), 0x33383C)
        brush.fill(.disc(1390, 190, 82), 0xF5F2EA)
        for hour in 0..<12 {
            let turn = Float(hour) / 12
            brush.fill(.line(Self.hand(turn, 64), Self.hand(turn, 74), hour % 3 == 0 ? 7 : 4), 0x33383C)
        }
    }

    private func drawBench(_ brush: SceneBrush) {
        for x in [Float(90), 1470] { brush.fill(.box(x, 640, 44, 200), 0x5E4630) }
        brush.fill(.box(1010, 640, 380, 150), 0x6C5238)
        for y in [Float(652), 720] {
            brush.fill(.box(1026, y, 348, 56), 0x83664A)
            brush.fill(.line([1170, y + 26], [1230, y + 26], 7), 0x2F2A25)
        }
        brush.fill(.box(40, 602, 1520, 40), 0xA67C4E)
        brush.fill(.box(40, 602, 1520, 8), 0xC79B68)
        brush.fill(.box(130, 540, 120, 62), 0x4B5A52)
        brush.fill(.line([150, 540], [230, 540], 10), 0x39453F)
        for (x, color) in [(Float(312), UInt32(0x3E6FA3)), (328, 0xC14D3E), (344, 0xD9A441)] {
            brush.fill(.line([x, 470], [330, 520], 6), color)
        }
        brush.fill(.box(300, 512, 60, 90), 0xD8D2C4)
        // The printer: frame and bed.
        for x in [Float(576), 924] { brush.fill(.box(x, 392, 20, 190), 0x2B2F33) }
        for (y, height) in [(Float(384), Float(18)), (576, 26)] { brush.fill(.box(560, y, 400, height), 0x2B2F33) }
        brush.fill(.box(640, 562, 240, 14), 0x4A5157)
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
