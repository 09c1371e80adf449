// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
internal import TintypeModel

/// Which colour each pixel of a Bayer format sees.
struct BayerMosaic {
    /// The part of a colour that one pixel sees.
    private enum Filter { case red, green, blue }

    /// Two by two pixels, row by row from the top left, over and over.
    private let filters: InlineArray<4, Filter>

    /// The mosaic of an 8-bit Bayer format; nil if it is none.
    init?(_ format: FourCC) {
        switch format {
        case .sbggr8: filters = [.blue, .green, .green, .red]
        case .sgbrg8: filters = [.green, .blue, .red, .green]
        case .sgrbg8: filters = [.green, .red, .blue, .green]
        case .srggb8: filters = [.red, .green, .green, .blue]
        default: return nil
        }
    }

    /// What the pixel at this place sees of a colour (BT.601, full range).
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
