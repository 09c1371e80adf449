// SPDX-License-Identifier: Apache-2.0
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeImaging

/// Samples in rows, with plain reference implementations of the operations of a still.
struct Grid: Equatable {
    var width: Int
    var height: Int
    var samples: [UInt8]

    init(width: Int, height: Int, _ sample: (Int, Int) -> UInt8) {
        (self.width, self.height) = (width, height)
        samples = (0..<height).flatMap { y in (0..<width).map { x in sample(x, y) } }
    }

    static func random(_ width: Int, _ height: Int, seed: UInt64) -> Grid {
        var generator = SeededGenerator(seed: seed)
        return Grid(width: width, height: height) { _, _ in UInt8.random(in: 0...255, using: &generator) }
    }

    subscript(x: Int, y: Int) -> UInt8 { samples[y * width + x] }

    func cropped(_ left: Int, _ top: Int, _ width: Int, _ height: Int) -> Grid {
        Grid(width: width, height: height) { x, y in self[left + x, top + y] }
    }

    func flipped(_ flip: Flip?) -> Grid {
        switch flip {
        case .horizontal: Grid(width: width, height: height) { x, y in self[width - 1 - x, y] }
        case .vertical: Grid(width: width, height: height) { x, y in self[x, height - 1 - y] }
        case nil: self
        }
    }

    /// Repeats a quarter turn clockwise, which moves the bottom left sample to the top left.
    func turned(_ turn: Turn) -> Grid {
        (0..<turn.rawValue / 90).reduce(self) { grid, _ in
            Grid(width: grid.height, height: grid.width) { x, y in grid[y, grid.height - 1 - x] }
        }
    }

    /// Mean of the area that each sample of a smaller grid covers, in floating point.
    func areaAverage(_ newWidth: Int, _ newHeight: Int) -> [Double] {
        func shares(_ index: Int, of count: Int, to newCount: Int) -> [(Int, Double)] {
            let (from, to) = (Double(index * count) / Double(newCount), Double((index + 1) * count) / Double(newCount))
            return (Int(from)..<min(count, Int(to.rounded(.up)))).map { sample in
                (sample, (min(to, Double(sample + 1)) - max(from, Double(sample))) / (to - from))
            }
        }
        return (0..<newHeight).flatMap { y in
            let rows = shares(y, of: height, to: newHeight)
            return (0..<newWidth).map { x in
                let columns = shares(x, of: width, to: newWidth)
                return rows.reduce(0.0) { sum, row in
                    sum + columns.reduce(0.0) { $0 + Double(self[$1.0, row.0]) * $1.1 } * row.1
                }
            }
        }
    }
}

/// Flip and turn: twelve combinations for eight orientations.
struct WayRound: Sendable, CustomTestStringConvertible {
    let flip: Flip?
    let turn: Turn
    var testDescription: String { "flip \(flip?.rawValue ?? "none"), turn \(turn.rawValue)" }

    static let all: [WayRound] = [nil, Flip.horizontal, .vertical].flatMap { flip in
        Turn.allCases.map { WayRound(flip: flip, turn: $0) }
    }

    /// Rendering of a still in this orientation.
    func rendering(width: Int? = nil, crop: CropRectangle? = nil, isLossless: Bool? = nil) -> ImageOptions {
        ImageOptions(width: width, crop: crop, turn: turn, flip: flip, isLossless: isLossless)
    }
}

extension PlanarPicture {
    /// Draws a JPEG picture with a new transformer.
    init(drawing jpeg: [UInt8], _ rendering: ImageOptions = ImageOptions(), strict: Bool = true) throws {
        self.init()
        var transformer = JPEGTransformer()
        let plan = try GeometryPlan(rendering, of: JPEGHeader.read(jpeg.rawSpan).size)
        try transformer.draw(jpeg.rawSpan, plan: plan, strict: strict, into: &self)
        let drawn = size
        #expect(drawn == plan.size)
    }

    /// All planes, including padding.
    var grids: [Grid] { (0..<planeCount).map { grid($0) } }

    /// One plane, including padding.
    func grid(_ index: Int) -> Grid {
        let plane = unsafe plane(index)
        let (width, height) = unsafe (plane.width, plane.height)
        return Grid(width: width, height: height) { x, y in unsafe plane.row(y)[x] }
    }
}

/// Raw picture of one or three planes, without padding between rows.
struct PlanarBytes {
    let layout: PictureLayout
    let planes: [Grid]
    var bytes: [UInt8] { planes.flatMap(\.samples) }

    /// Fills a planar format with noise.
    init(_ format: FourCC, _ width: Int, _ height: Int, seed: UInt64) {
        layout = PictureLayout(format, FrameSize(width: width, height: height))
        let rows = format == .yuv422p ? height : (height + 1) / 2
        let chroma = format == .grey ? [] : [1, 2].map { Grid.random((width + 1) / 2, rows, seed: seed + $0) }
        planes = [Grid.random(width, height, seed: seed)] + chroma
    }
}
