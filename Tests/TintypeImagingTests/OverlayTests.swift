// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Testing
internal import TintypeModel

@testable internal import TintypeImaging

struct OverlayTests {
    private static let moment = Timestamp(microseconds: 1_795_271_412_345_678)

    /// Planes of a picture before and after writing.
    private struct Result {
        let size: FrameSize
        let sampling: ChromaSampling
        let before: [[UInt8]]
        let after: [[UInt8]]

        /// Bounds of the changed luma pixels; `right` and `bottom` are exclusive.
        var box: (left: Int, top: Int, right: Int, bottom: Int)? {
            let changed = before[0].indices.filter { before[0][$0] != after[0][$0] }
            guard !changed.isEmpty else { return nil }
            let (columns, rows) = (changed.map { $0 % size.width }, changed.map { $0 / size.width })
            return (columns.min() ?? 0, rows.min() ?? 0, (columns.max() ?? 0) + 1, (rows.max() ?? 0) + 1)
        }
    }

    private func samples(_ picture: borrowing PlanarPicture) -> [[UInt8]] {
        let luma = picture.grid(0).cropped(0, 0, picture.size.width, picture.size.height)
        return [luma.samples] + (1..<picture.planeCount).map { picture.grid($0).samples }
    }

    private func write(
        _ text: String,
        _ size: FrameSize = FrameSize(width: 640, height: 360),
        _ sampling: ChromaSampling = .grey,
        shade: UInt8 = 128,
        chroma: UInt8 = 40,
        style: OverlayStyle = OverlayStyle()
    ) throws -> Result {
        var picture = PlanarPicture()
        picture.reset(to: size, sampling)
        for index in 0..<picture.planeCount {
            let plane = unsafe picture.plane(index)
            unsafe plane.start.update(repeating: index == 0 ? shade : chroma, count: plane.stride * plane.height)
        }
        let before = samples(picture)
        var pen = OverlayPen()
        try pen.write(text, at: Self.moment, style, into: &picture)
        return Result(size: size, sampling: sampling, before: before, after: samples(picture))
    }

    @Test func `letters match the rendering of Pillow`() throws {
        let text = "Ägypten 12:34:56 €, fjord"
        var pen = OverlayPen()
        let mask = try pen.mask(of: text, OverlayStyle.defaultFont, lineHeight: 32, width: 640)
        let drawing =
            "import sys; from PIL import Image as I, ImageDraw as D, ImageFont as F\n"
            + "p = I.new('L', (\(mask.width), \(mask.height)))\n"
            + "f = F.truetype('\(OverlayStyle.defaultFont)', 32, layout_engine=F.Layout.BASIC)\n"
            + "D.Draw(p).text((2, 2), '\(text)', 255, f)\nsys.stdout.buffer.write(p.tobytes())"
        let theirs = try Programs.run(["/usr/bin/python3", "-c", drawing])
        let ours = mask.letters
        #expect(theirs.count == mask.width * mask.height)
        // Pillow applies kerning, `OverlayPen` does not: letters at the end of the line may be off by a pixel or two.
        let best =
            (-1...1).map { shift in
                var (both, either) = (0, 0)
                for row in 0..<mask.height {
                    for column in 4..<min(mask.width, 150) {
                        let left = ours[row * mask.stride + column] > 127
                        let isInside = (0..<mask.height).contains(row + shift)
                        let right = isInside && theirs[(row + shift) * mask.width + column] > 127
                        both += left && right ? 1 : 0
                        either += left || right ? 1 : 0
                    }
                }
                return Double(both) / Double(max(1, either))
            }.max() ?? 0
        #expect(best > 0.85, "\(best) of the ink is the same")
    }

    @Test(arguments: [0, 60, 128, 200, 255] as [UInt8])
    func `text is white with a black outline on any background`(shade: UInt8) throws {
        let result = try write("14:30", shade: shade)
        let size = result.size
        let white = result.after[0].indices.filter {
            result.after[0][$0] > 240 && (shade < 240 || $0 % size.width < 99)
        }
        #expect(white.count > 30)
        let box = try #require(shade == 255 ? try write("14:30", shade: 128).box : result.box)
        var dark = 0
        for row in box.top..<box.bottom {
            for column in box.left..<box.right where result.after[0][row * size.width + column] < 15 { dark += 1 }
        }
        #expect(dark > 60)
    }

    @Test(arguments: OverlayStyle.Corner.allCases)
    func `text is placed in its corner`(corner: OverlayStyle.Corner) throws {
        let result = try write("14:30", style: OverlayStyle(corner: corner))
        let box = try #require(result.box)
        #expect(corner.isRight ? box.left > 500 && box.right <= 640 : box.left < 10 && box.right < 140)
        #expect(corner.isUpper ? box.top < 10 && box.bottom < 60 : box.top > 300 && box.bottom <= 360)
    }

    @Test func `text size is a percentage of the image height`() throws {
        func height(_ size: FrameSize, _ percent: Double) throws -> Int {
            let box = try #require(try write("H", size, style: OverlayStyle(percent: percent)).box)
            return box.bottom - box.top
        }
        let (small, large) = (FrameSize(width: 320, height: 400), FrameSize(width: 640, height: 1600))
        let (one, four) = (try height(small, 5), try height(large, 5))
        #expect((3.5...4.5).contains(Double(four) / Double(one)), "\(one) \(four)")
        #expect(abs(try height(small, 20) - four) <= 4)
        // Minimum height for legible text.
        #expect(try height(FrameSize(width: 64, height: 48), 1) >= 7)
    }

    @Test func `strftime fields are expanded`() throws {
        let year = String(LocalTime(Self.moment).text("%Y"))
        #expect(year == "2026")
        #expect(try write("%Y").after == write(year).after)
        #expect(try write("100 %%").after == write("100 %%").after)
        #expect(try write("%Y").after != write("%m").after)
    }

    @Test func `strftime output may be empty or long`() {
        // Some fields are empty in this locale.
        #expect(LocalTime(Self.moment).text("") == "")
        #expect(LocalTime(Self.moment).text(String(repeating: "%c", count: 100)).count == 2400)
    }

    @Test(arguments: [
        FrameSize(width: 1, height: 1), FrameSize(width: 3, height: 2), FrameSize(width: 17, height: 5),
        FrameSize(width: 33, height: 31), FrameSize(width: 5, height: 400), FrameSize(width: 401, height: 9),
    ])
    func `text beyond the right edge is cut off`(size: FrameSize) throws {
        for sampling in ChromaSampling.allCases {
            for corner in OverlayStyle.Corner.allCases {
                let text = String(repeating: "Wq", count: 100)
                let result = try write(text, size, sampling, style: OverlayStyle(percent: 25, corner: corner))
                #expect(result.after[0].count == size.area)
            }
        }
        let long = try write(String(repeating: "Wq", count: 100))
        #expect(try #require(long.box).right == 640)
        #expect(long.after[0].prefix(640 * 360).count == 640 * 360)
    }

    @Test(arguments: ChromaSampling.allCases.filter { $0 != .grey })
    func `chroma becomes neutral only under the text`(sampling: ChromaSampling) throws {
        let result = try write("MMMM", FrameSize(width: 321, height: 201), sampling)
        let box = try #require(result.box)
        let width = (321 + sampling.columns - 1) / sampling.columns
        for plane in 1...2 {
            var neutral = 0
            for (place, value) in result.after[plane].enumerated() {
                let (column, row) = (place % width * sampling.columns, place / width * sampling.rows)
                let isNear =
                    column + sampling.columns > box.left && column < box.right && row + sampling.rows > box.top
                    && row < box.bottom
                if !isNear { #expect(value == 40) }
                if value > 120 { neutral += 1 }
            }
            #expect(neutral > 4)
        }
    }

    @Test func `a missing glyph is drawn as a box`() throws {
        // The fonts here have no glyphs for private-use characters.
        let missing = try write("\u{F1234}")
        #expect(missing.box != nil)
        #expect(try write("\u{F1234}").after == write("\u{F4321}").after)
    }

    @Test func `a control character is drawn as a space`() throws {
        #expect(try write("a\u{1}b").after == write("a b").after)
    }

    @Test func `a space draws nothing`() throws {
        #expect(try write(" ").box == nil)
    }

    @Test func `an unusable font is refused with a remedy`() throws {
        func refusal(_ font: String) throws -> Problem? {
            let error = #expect(throws: ImagingError.self) { _ = try write("a", style: OverlayStyle(font: font)) }
            return error?.refusal
        }
        let missing = try #require(try refusal("/nowhere/font.ttf"))
        #expect(missing.code == .configurationUnsupported)
        #expect(missing.detail.contains("/nowhere/font.ttf: it cannot be opened"))
        #expect(missing.remedy.contains("overlay.font") && missing.remedy.contains("fonts-dejavu-core"))
        let other = try Programs.withFile(Array("no font".utf8)) { path in try refusal(path) }
        #expect(try #require(other).detail.contains("it is no font"))
    }

    @Test func `a pen can change its font`() throws {
        var pen = OverlayPen()
        let bold = "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf"
        let plain = try pen.mask(of: "a", OverlayStyle.defaultFont, lineHeight: 40, width: 99)
        let heavy = try pen.mask(of: "a", bold, lineHeight: 40, width: 99)
        #expect(plain.letters != heavy.letters)
        #expect(throws: ImagingError.self) { _ = try pen.mask(of: "a", "/nowhere", lineHeight: 40, width: 99) }
        #expect(try pen.mask(of: "a", OverlayStyle.defaultFont, lineHeight: 40, width: 99).letters == plain.letters)
    }
}
