// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

/// Draws the test picture in YUYV, NV12, GREY, Y16 or 8-bit Bayer: a scene, or a background drawn once, on it code, text
/// and block.
struct PatternPainter {
    let look: PatternLook
    private let scene: ScenePainter?
    private let layout: PictureLayout
    private var background: [UInt8] = []

    /// A full-range colour, converted to the layout's encoding when drawn.
    struct Ink {
        var y: UInt8
        var u: UInt8 = 128
        var v: UInt8 = 128

        func seen(with look: PatternLook) -> Self {
            guard !look.isDark else { return Self(y: 0) }
            let luma = Int(y) * look.exposure / 100 + look.brightness - 128
            let (u, v) = (min(255, Int(u) + look.cast), max(0, Int(v) - look.cast))
            return Self(y: UInt8(min(max(0, luma), 255)), u: UInt8(u), v: UInt8(v))
        }

        var limited: Self {
            let (y, u, v) = (16 + Int(y) * 219 / 255, (Int(u) - 128) * 224 / 255, (Int(v) - 128) * 224 / 255)
            return Self(y: UInt8(y), u: UInt8(128 + u), v: UInt8(128 + v))
        }
    }

    private static let white = Ink(y: 255)
    static let black = Ink(y: 0)
    static let grey = Ink(y: 128)
    /// White, yellow, cyan, green, magenta, red, blue, black in BT.601.
    private static let bars: [Ink] = [
        white, Ink(y: 226, u: 0, v: 149), Ink(y: 179, u: 171, v: 0), Ink(y: 150, u: 44, v: 21),
        Ink(y: 105, u: 212, v: 235), Ink(y: 76, u: 85, v: 255), Ink(y: 29, u: 255, v: 107), black,
    ]

    /// `period` is the time between frames, which the scene goes by.
    init(layout: PictureLayout, look: PatternLook, scene: PatternScene?, period: Duration) {
        self.layout = layout
        self.look = look
        self.scene = scene.map { ScenePainter($0, layout, look, period: period) }
        guard scene == nil else { return }
        var pixels = [UInt8](repeating: 0, count: layout.byteCount ?? 0)
        var canvas = pixels.mutableSpan
        var bytes = unsafe canvas.mutableBytes
        let (width, height) = (layout.size.width, layout.size.height)
        for (index, ink) in Self.bars.enumerated() {
            fill(&bytes, width * index / 8..<width * (index + 1) / 8, 0..<height, ink.seen(with: look))
        }
        let top = height * 3 / 4
        for x in stride(from: 0, to: width, by: 2) {
            let ink = Ink(y: UInt8(x * 255 / max(1, width - 1))).seen(with: look)
            fill(&bytes, x..<x + 2, top..<top + height / 4, ink)
        }
        background = pixels
    }

    func paint(_ ink: Ink, into picture: inout MutableRawSpan) {
        fill(&picture, 0..<layout.size.width, 0..<layout.size.height, ink)
    }

    /// Draws the frame for this code with the time of day at `moment`; always the same picture if `code` is nil.
    func paint(_ code: PatternCode?, at moment: Timestamp, withBlock: Bool, into picture: inout MutableRawSpan) {
        if let scene {
            let moment = code == nil ? Timestamp(microseconds: 0) : moment
            return scene.paint(code?.number ?? 0, at: moment, into: &picture)
        }
        let source = background.span
        unsafe picture.withUnsafeMutableBytes { target in
            unsafe source.withUnsafeBufferPointer { source in
                unsafe target.copyMemory(from: UnsafeRawBufferPointer(source))
            }
        }
        guard let code, !look.isDark else { return }
        if withBlock { drawBlock(code, &picture) }
        guard let cell = PatternCode.cellSize(for: layout.size) else { return }
        drawCode(code, cell, &picture)
        drawText(code, moment, cell, &picture)
    }

    private func drawBlock(_ code: PatternCode, _ picture: inout MutableRawSpan) {
        let size = layout.size
        let side = max(2, min(size.width, size.height) / 8)
        let travel = max(1, size.width - side)
        let left = Int(code.number) * max(2, size.width / 120) % travel & ~1
        let top = size.height * 5 / 8 & ~1
        fill(&picture, left..<left + side, top..<top + side, Self.grey)
    }

    private func drawCode(_ code: PatternCode, _ cell: Int, _ picture: inout MutableRawSpan) {
        let rows = code.rows
        for row in rows.indices {
            for column in 0..<32 {
                let ink = rows[row] >> UInt32(31 - column) & 1 == 1 ? Self.white : Self.black
                fill(&picture, column * cell..<(column + 1) * cell, row * cell..<(row + 1) * cell, ink)
            }
        }
    }

    /// `000123 14:30:12.345`; uses no string, to avoid an allocation per frame.
    private func drawText(_ code: PatternCode, _ moment: Timestamp, _ cell: Int, _ picture: inout MutableRawSpan) {
        let (dot, top) = (max(1, cell / 4), 7 * cell)
        let width = 19 * 4 * dot
        guard top + 7 * dot <= layout.size.height, width <= layout.size.width else { return }
        fill(&picture, 0..<width + dot, top..<top + 7 * dot, Self.black)
        let clock = moment.utc
        let numbers: InlineArray<5, (value: Int, places: Range<Int>)> = [
            (Int(code.number % 1_000_000), 0..<6), (clock.hour, 7..<9), (clock.minute, 10..<12),
            (clock.second, 13..<15),
            (clock.microsecond / 1000, 16..<19),
        ]
        for index in numbers.indices {
            var rest = numbers[index].value
            for place in numbers[index].places.reversed() {
                drawGlyph(Self.digits[rest % 10], at: place, cell, &picture)
                rest /= 10
            }
        }
        drawGlyph(Self.colon, at: 9, cell, &picture)
        drawGlyph(Self.colon, at: 12, cell, &picture)
        drawGlyph(Self.point, at: 15, cell, &picture)
    }

    private func drawGlyph(_ glyph: UInt16, at place: Int, _ cell: Int, _ picture: inout MutableRawSpan) {
        let dot = max(1, cell / 4)
        for bit in 0..<15 where glyph >> UInt16(14 - bit) & 1 == 1 {
            let (left, top) = ((place * 4 + bit % 3 + 1) * dot, 7 * cell + (bit / 3 + 1) * dot)
            fill(&picture, left..<left + dot, top..<top + dot, Self.white)
        }
    }

    /// Glyphs of five rows of three dots, from the top left.
    private static let digits: [UInt16] = [
        0o75557, 0o26227, 0o71747, 0o71717, 0o55711, 0o74717, 0o74757, 0o71222, 0o75757, 0o75717,
    ]
    private static let colon: UInt16 = 0o02020
    private static let point: UInt16 = 0o00002

    private func fill(_ picture: inout MutableRawSpan, _ columns: Range<Int>, _ rows: Range<Int>, _ ink: Ink) {
        unsafe picture.withUnsafeMutableBytes { bytes in
            unsafe PatternCanvas(layout, bytes).fill(columns, rows, ink)
        }
    }
}

/// Effect of the controls, and of the simulated exposure and white balance, on the picture.
struct PatternLook: Hashable {
    /// 0 to 255; 128 is neutral.
    var brightness = 128
    /// Black without code and clock: the shutter is closed.
    var isDark = false
    /// Exposure in percent.
    var exposure = 100
    /// Added to Cb and subtracted from Cr.
    var cast = 0
}

struct BayerMosaic {
    private enum Filter { case red, green, blue }

    /// The repeated 2x2 block, row by row from the top left.
    private let filters: InlineArray<4, Filter>

    init?(_ format: FourCC) {
        switch format {
        case .sbggr8: filters = [.blue, .green, .green, .red]
        case .sgbrg8: filters = [.green, .blue, .red, .green]
        case .sgrbg8: filters = [.green, .red, .blue, .green]
        case .srggb8: filters = [.red, .green, .green, .blue]
        default: return nil
        }
    }

    /// BT.601, full range.
    func value(of ink: PatternPainter.Ink, _ column: Int, _ row: Int) -> UInt8 {
        let (y, u, v) = (Int(ink.y), Int(ink.u) - 128, Int(ink.v) - 128)
        let value =
            switch filters[row % 2 * 2 + column % 2] {
            case .red: y + v * 1402 / 1000
            case .green: y - (u * 344 + v * 714) / 1000
            case .blue: y + u * 1772 / 1000
            }
        return UInt8(max(0, min(255, value)))
    }
}

/// Simulated sensor noise in luma, evenly distributed and different in every frame.
struct PatternNoise {
    let amplitude: Int
    // xorshift64 (Marsaglia, 2003): 2 ns per sample; the system's generator takes 20.
    private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

    init(amplitude: Int) { self.amplitude = amplitude }

    /// Adds noise to a YUYV, NV12 or GREY picture; other formats are unchanged.
    mutating func add(to picture: inout MutableRawSpan, _ layout: PictureLayout) {
        let step: Int
        switch layout.pixelFormat {
        case .yuyv: step = 2
        case .nv12, .grey: step = 1
        default: return
        }
        let width = layout.size.width * step
        let levels = UInt64(2 * amplitude + 1)
        unsafe picture.withUnsafeMutableBytes { bytes in
            for row in 0..<layout.size.height {
                let start = row * layout.bytesPerRow
                for place in stride(from: start, to: start + width, by: step) {
                    state ^= state << 13
                    state ^= state >> 7
                    state ^= state << 17
                    let noisy = unsafe Int(bytes[place]) + Int(state % levels) - amplitude
                    unsafe bytes[place] = UInt8(min(max(0, noisy), 255))
                }
            }
        }
    }
}

/// Machine-readable number and exposure time in the test pattern.
///
/// Six rows of 32 square cells at the top left, most significant bit first, white for 1: the number; its complement;
/// the upper and lower half of the time in microseconds of `CLOCK_MONOTONIC`; both complements. In Bayer formats cells
/// need at least 4 pixels to be readable, because demosaicing mixes neighbours.
package struct PatternCode: Hashable, Sendable {
    package var number: UInt32
    /// `CLOCK_MONOTONIC` at the start of exposure.
    package var microseconds: UInt64

    /// In pixels; nil if the picture is too small for a code.
    package static func cellSize(for size: FrameSize) -> Int? {
        [16, 8, 4, 2, 1].first { $0 * 32 <= size.width && $0 * rowCount <= size.height }
    }

    static let rowCount = 6

    var rows: InlineArray<6, UInt32> {
        let (high, low) = (UInt32(microseconds >> 32), UInt32(truncatingIfNeeded: microseconds))
        return [number, ~number, high, low, ~high, ~low]
    }
}

extension PatternCode {
    /// Reads the code from luma without row padding; nil if it is absent, or torn, scaled or damaged.
    package init?(luma: [UInt8], size: FrameSize) {
        guard let cell = Self.cellSize(for: size), luma.count >= size.area else { return nil }
        let rows = (0..<Self.rowCount).map { row in
            (0..<32).reduce(UInt32(0)) { bits, column in
                let at = (row * cell + cell / 2) * size.width + column * cell + cell / 2
                return bits << 1 | (luma[at] > 127 ? 1 : 0)
            }
        }
        guard rows[0] == ~rows[1], rows[2] == ~rows[4], rows[3] == ~rows[5] else { return nil }
        self.init(number: rows[0], microseconds: UInt64(rows[2]) << 32 | UInt64(rows[3]))
    }
}
