// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeModel

/// Draws colours, given as RGB, under a light; the picture is 1600x900 units of any size.
struct SceneBrush {
    let canvas: PatternCanvas
    let look: PatternLook
    var light: SceneLight

    private var scale: SIMD2<Float> {
        [Float(canvas.layout.size.width) / 1600, Float(canvas.layout.size.height) / 900]
    }

    func fill(_ outline: SceneOutline, _ color: UInt32, opacity: Float = 1) {
        paint(outline, SIMD3(rgb: color) * light.tint, opacity)
    }

    /// Draws a lamp or what it illuminates, invisible by day.
    func glow(_ outline: SceneOutline, _ color: UInt32, opacity: Float = 1) {
        paint(outline, SIMD3(rgb: color), opacity * light.lamps)
    }

    /// Draws a round shine that fades outwards.
    func glow(around center: SIMD2<Float>, _ radius: SIMD2<Float>, _ color: UInt32, opacity: Float) {
        let rings = 10
        for ring in 1...rings {
            let size = radius * Float(ring) / Float(rings)
            glow(.disc(center.x, center.y, size.x, size.y), color, opacity: opacity / Float(ring))
        }
    }

    /// The same in a room, which lamps illuminate at night.
    var inside: Self {
        var brush = self
        brush.light.tint += ([0.74, 0.62, 0.46] - light.tint) * light.lamps * 0.8
        return brush
    }

    /// Fills a box from top to bottom.
    func fillGradient(_ box: (x: Float, y: Float, width: Float, height: Float), _ colors: [UInt32], isLit: Bool = false)
    {
        let rows = Int(box.y * scale.y)..<Int(((box.y + box.height) * scale.y).rounded(.up))
        let columns = Int(box.x * scale.x)..<Int(((box.x + box.width) * scale.x).rounded(.up))
        for row in rows {
            let place = Float(row - rows.lowerBound) / Float(max(1, rows.count)) * Float(colors.count - 1)
            let (one, other) = (SIMD3(rgb: colors[Int(place)]), SIMD3(rgb: colors[Int(place) + 1]))
            let color = one + (other - one) * (place - place.rounded(.down))
            canvas.fill(columns, row..<row + 1, ink(isLit ? color * light.tint : color))
        }
    }

    private func paint(_ outline: SceneOutline, _ color: SIMD3<Float>, _ opacity: Float) {
        guard opacity > 0 else { return }
        canvas.fill(outline.points.map { $0 * scale }, ink(color), opacity: opacity)
    }

    private func ink(_ color: SIMD3<Float>) -> PatternPainter.Ink {
        PatternPainter.Ink(rgb: color.clamped(lowerBound: .zero, upperBound: SIMD3(repeating: 255))).seen(with: look)
    }
}

/// Polygon in units of ``SceneBrush``.
struct SceneOutline {
    let points: [SIMD2<Float>]

    static func polygon(_ points: SIMD2<Float>...) -> Self { Self(points: points) }

    static func box(_ x: Float, _ y: Float, _ width: Float, _ height: Float) -> Self {
        .polygon([x, y], [x + width, y], [x + width, y + height], [x, y + height])
    }

    static func disc(_ x: Float, _ y: Float, _ radius: Float, _ vertical: Float? = nil) -> Self {
        let corners = 32
        return Self(
            points: (0..<corners).map { corner in
                let angle = 2 * Float.pi * Float(corner) / Float(corners)
                return [x + radius * cosf(angle), y + (vertical ?? radius) * sinf(angle)]
            }
        )
    }

    /// Line with round ends.
    static func line(_ from: SIMD2<Float>, _ to: SIMD2<Float>, _ width: Float) -> Self {
        let angle = atan2f(to.y - from.y, to.x - from.x)
        let corners = 8
        return Self(
            points: (0...2 * corners + 1).map { corner in
                let turn = angle + .pi / 2 + .pi * Float(corner <= corners ? corner : corner - 1) / Float(corners)
                return (corner <= corners ? from : to) + SIMD2(cosf(turn), sinf(turn)) * (width / 2)
            }
        )
    }
}

extension SIMD3<Float> {
    init(rgb: UInt32) { self.init(Float(rgb >> 16), Float(rgb >> 8 & 255), Float(rgb & 255)) }
}

extension PatternPainter.Ink {
    /// BT.601, full range.
    init(rgb: SIMD3<Float>) {
        let y = (rgb * [0.299, 0.587, 0.114]).sum()
        let (u, v) = (128 + (rgb.z - y) * 0.564, 128 + (rgb.x - y) * 0.713)
        self.init(y: UInt8(y), u: UInt8(min(max(0, u), 255)), v: UInt8(min(max(0, v), 255)))
    }
}
