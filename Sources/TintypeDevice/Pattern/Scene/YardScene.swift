// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A house with a garden, and a path in front of it.
extension PatternScene {
    func drawYard(_ brush: SceneBrush) {
        drawYardSky(brush)
        brush.fillGradient((0, 555, 1600, 345), [0x86AE5F, 0x6B9650, 0x4D7A3D], isLit: true)
        brush.fill(.polygon([432, 640], [488, 640], [545, 745], [380, 745]), 0xC9B48C)
        brush.fill(.polygon([0, 748], [1600, 728], [1600, 806], [0, 836]), 0xCDB991)
        brush.fill(.polygon([0, 812], [1600, 786], [1600, 806], [0, 836]), 0xA48F69, opacity: 0.5)
        brush.glow(around: [460, 704], [320, 66], 0xFFCE84, opacity: 0.09)
        drawHouse(brush)
        brush.fill(.disc(1216, 652, 170, 16), 0x26401F, opacity: 0.45)
        brush.fill(.polygon([1172, 656], [1188, 420], [1226, 420], [1252, 656]), 0x6B4E38)
        let crown: [(SIMD3<Float>, UInt32)] = [
            ([1100, 395, 92], 0x3F6E3B), ([1312, 392, 98], 0x44753F), ([1206, 350, 140], 0x4B7F44),
            ([1130, 305, 72], 0x5B914E), ([1262, 280, 84], 0x68A057), ([1190, 258, 60], 0x78AF63),
        ]
        for (leaves, color) in crown { brush.fill(.disc(leaves.x, leaves.y, leaves.z, leaves.z * 0.86), color) }
    }

    private func drawYardSky(_ brush: SceneBrush) {
        brush.fillGradient((0, 0, 1600, 560), brush.light.sky)
        if brush.light.lamps == 1 {
            for place in Self.scattered(70) {
                brush.glow(.disc(place.x * 1600, place.y * 400, 1.2 + place.x * 1.4), 0xE8EDFF, opacity: 0.8)
            }
            brush.glow(around: [1420, 128], [150, 150], 0xBFD0FF, opacity: 0.1)
            brush.glow(.disc(1420, 128, 44), 0xF3F0DD)
        } else if brush.light.lamps > 0.5 {
            brush.glow(around: [930, 500], [330, 330], 0xFFC98A, opacity: 0.3)
            brush.glow(.disc(930, 500, 58), 0xFFE2A6)
        }
        brush.fill(.polygon([0, 520], [190, 468], [420, 505], [420, 570], [0, 570]), 0x8FAFA4)
        brush.fill(.polygon([680, 570], [680, 446], [980, 508], [1290, 456], [1600, 512], [1600, 570]), 0x8FAFA4)
        brush.fill(.polygon([0, 570], [0, 548], [340, 520], [800, 548], [1600, 545], [1600, 570]), 0x74977A)
    }

    private func drawHouse(_ brush: SceneBrush) {
        brush.fill(.polygon([150, 652], [740, 652], [820, 690], [150, 676]), 0x26401F, opacity: 0.35)
        brush.fill(.box(566, 176, 54, 90), 0x87483A)
        brush.fill(.box(560, 172, 66, 12), 0x9B5747)
        brush.fill(.box(168, 340, 556, 310), 0xEFE4CE)
        brush.fill(.polygon([118, 352], [226, 196], [666, 196], [774, 352]), 0xA9533F)
        for x in [Float(220), 572] { drawWindow(brush, x) }
        brush.fill(.box(402, 446, 116, 204), 0xF8F4EA)
        brush.fill(.box(412, 456, 96, 194), 0x4F7A78)
        brush.fill(.box(428, 474, 64, 58), 0x85A9B4)
        brush.glow(.box(428, 474, 64, 58), 0xFFCF73, opacity: 0.9)
        brush.glow(around: [544, 458], [110, 110], 0xFFD791, opacity: 0.22)
        brush.fill(.disc(544, 458, 9, 12), 0xF2E3B5)
        brush.glow(.disc(544, 458, 9, 12), 0xFFF2CC)
    }

    private func drawWindow(_ brush: SceneBrush, _ x: Float) {
        let y: Float = 412
        brush.fill(.box(x - 8, y - 8, 120, 134), 0xFBF8F0)
        brush.fill(.box(x, y, 104, 118), 0x7FA3B8)
        brush.glow(.box(x, y, 104, 118), 0xFFC765, opacity: 0.95)
        brush.fill(.box(x + 49, y, 6, 118), 0xFBF8F0)
        brush.fill(.box(x, y + 48, 104, 6), 0xFBF8F0)
    }

    func drawYardFigures(_ brush: SceneBrush, _ time: Double) {
        for (index, speed) in [9.0, 6.5, 11].enumerated() {
            let start = Double(index) * 620 + 240
            let x = Float((start + time * speed).truncatingRemainder(dividingBy: 2000)) - 200
            let y = 76 + Float(index) * 26
            for part: SIMD3<Float> in [[-70, 10, 24], [-28, -8, 32], [24, -2, 35], [72, 12, 24]] {
                brush.fill(.disc(x + part.x, y + part.y, part.z * 1.6, part.z * 0.85), 0xFFFFFF, opacity: 0.8)
            }
        }
        for puff in 0..<5 {
            let age = Float((time / 6 + Double(puff) / 5).truncatingRemainder(dividingBy: 1))
            let x = 593 + age * 46 + sinf(age * 7) * 7
            brush.fill(.disc(x, 166 - age * 96, 7 + age * 17), 0xE6E6E6, opacity: 0.5 * (1 - age))
        }
        guard let crossing = crossing(at: time) else { return }
        let x = -90 + crossing.part * 1780
        var walker = SceneWalker(x: x, ground: 792 - x / 75, height: 276)
        walker.stride = Float(time) * 6.5
        walker.isLeftward = crossing.number % 2 == 1
        walker.coat = [0xC8443C, 0x2F6DA8, 0xE0A02E][crossing.number % 3]
        walker.hasLantern = true
        walker.draw(brush)
    }

    /// Points that are spread evenly but not regularly, from 0 to 1 (R2 sequence).
    private static func scattered(_ count: Int) -> [SIMD2<Float>] {
        (1...count).map { [0.754_877_67, 0.569_840_29] * Float($0) }.map { $0 - $0.rounded(.down) }
    }
}
