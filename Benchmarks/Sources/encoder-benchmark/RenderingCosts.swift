// SPDX-License-Identifier: Apache-2.0
internal import TintypeImaging
internal import TintypeModel

/// Time to crop, turn and scale a picture on its way to JPEG.
struct RenderingCosts {
    /// One way to make a still, its median time and the length of the result.
    struct Row {
        let name: String
        let milliseconds: Double
        let bytes: Int
    }

    private let yuyv: [UInt8]
    private let jpeg: [UInt8]
    private let layout: PictureLayout

    /// The costs of a picture, raw and as its own JPEG at quality 85.
    init(_ picture: BenchmarkPicture) throws {
        yuyv = picture.yuyv(.jfif)
        layout = picture.layout(.jfif)
        jpeg = try picture.jpeg(quality: 85)
    }

    /// Measures all of them, one after the other.
    func measure() throws -> [Row] {
        let size = layout.size
        let quarter = ImageOptions(width: size.width / 4)
        let uneven = ImageOptions(width: size.width / 3 - 1)
        let turned = ImageOptions(turn: .quarter)
        let half = CropRectangle(
            size: FrameSize(width: size.width / 2, height: size.height / 2),
            left: 17,
            top: 17
        )
        let crop = ImageOptions(crop: half)
        var rows: [Row] = []
        for (name, rendering) in [
            ("as it is", ImageOptions()), ("to a quarter", quarter), ("to a third less one", uneven),
            ("turned by a quarter", turned), ("half of it", crop),
        ] {
            let plan = try GeometryPlan(rendering, of: size)
            rows.append(row("YUYV, \(name)", try raw(plan)))
            rows.append(row("MJPEG, \(name), drawn", try drawn(plan)))
            if !plan.isScaled, !plan.isIdentity {
                rows.append(row("MJPEG, \(name), lossless", try lossless(plan)))
            }
        }
        return rows
    }

    private func row(_ name: String, _ figures: (Double, Int)) -> Row {
        Row(name: name, milliseconds: figures.0, bytes: figures.1)
    }

    private func raw(_ plan: GeometryPlan) throws -> (Double, Int) {
        var encoder = JPEGEncoder()
        var picture = PlanarPicture()
        return try median {
            if plan.isIdentity {
                return try unsafe encoder.encode(yuyv.span.bytes, layout: layout, quality: 80).count
            }
            try unsafe encoder.draw(yuyv.span.bytes, layout: layout, plan: plan, into: &picture)
            return try encoder.encode(picture, quality: 80).count
        }
    }

    private func drawn(_ plan: GeometryPlan) throws -> (Double, Int) {
        var encoder = JPEGEncoder()
        var transformer = JPEGTransformer()
        var picture = PlanarPicture()
        return try median {
            try unsafe transformer.draw(jpeg.span.bytes, plan: plan, into: &picture)
            return try encoder.encode(picture, quality: 80).count
        }
    }

    private func lossless(_ plan: GeometryPlan) throws -> (Double, Int) {
        var transformer = JPEGTransformer()
        return try median { try unsafe transformer.transform(jpeg.span.bytes, plan: plan)?.count ?? 0 }
    }

    private func median(_ work: () throws -> Int) throws -> (Double, Int) {
        var count = 0
        let times = try (0..<Comparison.runs).map { _ in try ThreadClock.milliseconds { count = try work() } }
        return (Comparison.median(times), count)
    }
}
