// SPDX-License-Identifier: Apache-2.0
internal import Testing
internal import TintypeModel

@testable internal import TintypeImaging

struct WholeJPEGTests {
    private let size = FrameSize(width: 80, height: 60)

    private func picture(from bytes: [UInt8], expected: FrameSize? = nil) throws(ImagingError) -> [UInt8] {
        try passedThrough(bytes.rawSpan, expected: expected)
    }

    @Test func `a progressive picture is passed through unchanged`() throws {
        let jpeg = SampleJPEG.progressive(size)
        #expect(jpeg.count > 500)
        #expect(try picture(from: jpeg, expected: size) == jpeg)
    }

    @Test(arguments: [
        [0], [0, 0, 0, 0], [0xFF], [0xFF, 0xD9], [0xFF, 0xD8, 0xFF], [7, 8, 9], Array(repeating: 0, count: 9000),
    ])
    func `padding after EOI is cut off`(_ padding: [UInt8]) throws {
        let jpeg = try SampleJPEG.baseline(size)
        #expect(try picture(from: jpeg + padding, expected: size) == jpeg)
    }

    @Test func `missing Huffman tables are inserted before the frame header`() throws {
        let jpeg = try SampleJPEG.baseline(size)
        let webcam = SampleJPEG.withoutTables(jpeg)
        #expect(webcam.count < jpeg.count && !SampleJPEG.segments(webcam).contains { $0.marker == 0xC4 })
        let repaired = try picture(from: webcam + [0, 0, 0], expected: size)
        let markers = SampleJPEG.segments(repaired).map(\.marker)
        let tables = try #require(markers.firstIndex(of: 0xC4))
        #expect(markers[tables + 1] == 0xC0)
        #expect(SampleJPEG.scan(repaired) == SampleJPEG.scan(jpeg))
        #expect(try SampleJPEG.pixels(repaired) == SampleJPEG.pixels(jpeg))
        let range = SampleJPEG.segments(repaired)[tables].range
        #expect(Array(repaired[..<range.lowerBound] + repaired[range.upperBound...]) == webcam)
    }

    @Test func `the standard tables equal those of libjpeg`() throws {
        let jpeg = try SampleJPEG.baseline(size)
        // libjpeg writes one segment for each table; `StandardHuffmanTables` is a single segment.
        let written = SampleJPEG.segments(jpeg).filter { $0.marker == 0xC4 }.map { Array(jpeg[$0.range].dropFirst(4)) }
        #expect(written.count == 4)
        let ours = StandardHuffmanTables.segment
        #expect(Array(ours.prefix(4)) == [0xFF, 0xC4, 0x01, 0xA2])
        #expect(ours.count == 2 + 0x01A2)
        #expect(Set(written) == Set(tables(ours.dropFirst(4))))
    }

    /// Splits the body of a DHT segment into its tables.
    private func tables(_ body: ArraySlice<UInt8>) -> [[UInt8]] {
        var rest = body
        var found: [[UInt8]] = []
        while rest.count >= 17 {
            let count = 17 + rest.dropFirst().prefix(16).reduce(0) { $0 + Int($1) }
            found.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return found
    }

    @Test func `a progressive picture without tables is an error`() throws {
        let stripped = SampleJPEG.withoutTables(SampleJPEG.progressive(size))
        let error = #expect(throws: ImagingError.self) { try picture(from: stripped) }
        #expect(error?.isNotJPEG == true && error?.description.contains("progressive") == true)
    }

    @Test func `a picture cut at any byte is truncated`() throws {
        for jpeg in [try SampleJPEG.baseline(size), SampleJPEG.progressive(size)] {
            let memory = try #require(GuardedBytes(jpeg))
            for count in 0..<jpeg.count {
                let source = memory.replaceTail(with: Array(jpeg.prefix(count)))
                #expect(throws: count == 0 ? ImagingError.notJPEG("it is empty") : .truncated, "\(count) bytes") {
                    try passedThrough(source.bytes)
                }
                let isWhole = JPEGHeader.isWhole(source.bytes)
                #expect(!isWhole)
            }
        }
    }

    @Test func `restart markers, stuffed zeros and fill bytes are part of the scan`() throws {
        let jpeg = try SampleJPEG.baseline(size)
        let inserted: [UInt8] = [1, 0xFF, 0x00, 0xFF, 0xD0, 0xFF, 0xD7, 0xFF, 0xFF, 0x00, 0xFF, 0xFF, 0xFF, 0xD3, 2]
        let longer: [UInt8] = Array(jpeg.dropLast(2)) + inserted + [0xFF, 0xFF, 0xFF, 0xD9]
        #expect(try picture(from: longer + [5, 5]) == longer)
    }

    @Test func `errors name the damaged segment`() throws {
        let jpeg = try SampleJPEG.baseline(size)
        let segments = SampleJPEG.segments(jpeg)
        let frame = try #require(segments.first { $0.marker == 0xC0 }).range
        let scan = try #require(segments.first { $0.marker == 0xDA }).range
        let table = try #require(segments.first { $0.marker == 0xDB }).range.lowerBound
        func changed(_ change: (inout [UInt8]) -> Void) -> [UInt8] {
            var copy = jpeg
            change(&copy)
            return copy
        }
        let cases: [(bytes: [UInt8], says: String)] = [
            ([], "empty"),
            (Array("<html>".utf8), "SOI"),
            (Array(jpeg.dropFirst(2)), "SOI"),
            ([0xFF, 0xD8, 0xFF, 0xD9], "SOF"),
            (changed { $0.removeSubrange(frame) }, "SOF"),
            (changed { $0.replaceSubrange(scan.lowerBound..<$0.count, with: [0xFF, 0xD9]) }, "SOS"),
            (changed { $0.insert(contentsOf: jpeg[frame], at: frame.lowerBound) }, "two frame headers"),
            (changed { $0[frame.lowerBound + 1] = 0xC3 }, "SOF3"),
            (changed { ($0[frame.lowerBound + 5], $0[frame.lowerBound + 6]) = (0, 0) }, "80x0"),
            (changed { $0[frame.lowerBound + 9] = 5 }, "5 components"),
            (changed { $0[frame.lowerBound + 9] = 0 }, "0 components"),
            (changed { $0[scan.lowerBound + 4] = 4 }, "SOS"),
            (changed { $0[scan.lowerBound + 4] = 0 }, "SOS"),
            (jpeg.dropLast(2) + [0xFF, 0xFE, 0, 2, 0x41], "no marker at byte \(jpeg.count + 2)"),
            (jpeg.dropLast(2) + [0xFF, 0xD8, 0xFF], "cannot be there"),
            (changed { ($0[table + 2], $0[table + 3]) = (0, 1) }, "1 bytes long"),
        ]
        for (bytes, says) in cases {
            let error = #expect(throws: ImagingError.self, "\(says)") { try picture(from: bytes) }
            #expect(error?.isNotJPEG == true && error?.description.contains(says) == true, "\(says)")
        }
    }

    @Test func `a segment longer than the file is truncated`() throws {
        var jpeg = try SampleJPEG.baseline(size)
        let table = try #require(SampleJPEG.segments(jpeg).first { $0.marker == 0xDB }).range.lowerBound
        (jpeg[table + 2], jpeg[table + 3]) = (0xFF, 0xFF)
        #expect(throws: ImagingError.truncated) { try picture(from: jpeg) }
    }
}
