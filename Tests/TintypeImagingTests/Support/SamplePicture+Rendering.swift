// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

@testable internal import TintypeImaging

extension SamplePicture {
    /// The still that a plan makes of this picture, by where each of its points comes from.
    func rendered(_ plan: GeometryPlan, _ way: WayRound) -> SamplePicture {
        let (region, result, color) = (plan.region, plan.size, self.color)
        return SamplePicture(size: result) { x, y in
            // From the middle of a pixel, each step undone, the last one first.
            var turned = ((x + 0.5) / Double(result.width), (y + 0.5) / Double(result.height))
            // A quarter clockwise brought what was at (u, v) to (1 - v, u).
            for _ in 0..<way.turn.rawValue / 90 { turned = (turned.1, 1 - turned.0) }
            if way.flip == .horizontal { turned.0 = 1 - turned.0 }
            if way.flip == .vertical { turned.1 = 1 - turned.1 }
            return color(
                Double(region.left) + turned.0 * Double(region.size.width) - 0.5,
                Double(region.top) + turned.1 * Double(region.size.height) - 0.5
            )
        }
    }
}
