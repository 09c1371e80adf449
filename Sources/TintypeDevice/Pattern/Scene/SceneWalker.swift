// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Somebody who walks, seen from the side.
struct SceneWalker {
    var x: Float
    /// Height of the soles in the picture.
    var ground: Float
    var height: Float
    /// Phase of the steps in radians.
    var stride: Float = 0
    var isLeftward = false
    var coat: UInt32 = 0xC8443C
    /// Shines at night.
    var hasLantern = false

    func draw(_ brush: SceneBrush) {
        let swing = 0.45 * sinf(stride)
        let hand = point(sinf(swing) * 0.33, 0.79 - cosf(swing) * 0.33)
        let lantern = hand + [0, height * 0.05]
        if hasLantern { brush.glow(around: lantern, [height * 0.5, height * 0.5], 0xFFD089, opacity: 0.3) }
        brush.fill(.disc(x, ground, height * 0.24, height * 0.035), 0x202018, opacity: 0.4)
        drawLimb(brush, at: 0.79, length: 0.33, angle: swing, 0.062, coat, shade: 0.3)
        for (angle, color) in [(-swing, UInt32(0x2B3442)), (swing, 0x37425A)] {
            let foot = drawLimb(brush, at: 0.5, length: 0.46, angle: angle, 0.085, color)
            brush.fill(.line(foot + [0, height * 0.012], foot + ahead(0.07, -0.012), height * 0.05), 0x3A2A22)
        }
        brush.fill(.line(point(0, 0.76), point(0, 0.52), height * 0.185), coat)
        brush.fill(.line(point(0.015, 0.87), point(0.015, 0.85), height * 0.07), 0xD9A983)
        let head = point(0.02, 0.925)
        brush.fill(.disc(head.x, head.y, height * 0.064, height * 0.074), 0xE9BE98)
        brush.fill(.line(head + ahead(-0.03, 0.042), head + ahead(0.025, 0.046), height * 0.068), 0x3D4B63)
        brush.fill(.line(head + ahead(0.03, 0.03), head + ahead(0.095, 0.024), height * 0.02), 0x2F3A4E)
        drawLimb(brush, at: 0.79, length: 0.33, angle: -swing, 0.062, coat, shade: 0.12)
        if hasLantern { brush.glow(.disc(lantern.x, lantern.y, height * 0.032, height * 0.045), 0xFFF3D0) }
    }

    /// Offset in the direction of the walk and upwards, in heights.
    private func ahead(_ ahead: Float, _ up: Float) -> SIMD2<Float> {
        SIMD2(isLeftward ? -ahead : ahead, -up) * height
    }

    /// Place ahead of the body and above the ground, in heights.
    private func point(_ ahead: Float, _ up: Float) -> SIMD2<Float> { [x, ground] + self.ahead(ahead, up) }

    /// Returns the end of the limb.
    @discardableResult
    private func drawLimb(
        _ brush: SceneBrush,
        at start: Float,
        length: Float,
        angle: Float,
        _ width: Float,
        _ color: UInt32,
        shade: Float = 0
    ) -> SIMD2<Float> {
        let end = point(sinf(angle) * length, start - cosf(angle) * length)
        let limb = SceneOutline.line(point(0, start), end, width * height)
        brush.fill(limb, color)
        brush.fill(limb, 0x000000, opacity: shade)
        return end
    }
}
