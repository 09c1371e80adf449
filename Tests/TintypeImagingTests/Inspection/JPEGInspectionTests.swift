// SPDX-License-Identifier: Apache-2.0
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeImaging

struct JPEGInspectionTests {
    private let size = FrameSize(width: 80, height: 64)

    private func inspect(
        _ bytes: [UInt8],
        _ depth: JPEGInspection.Depth = .entropy,
        expected: FrameSize? = nil
    ) throws -> JPEGInspection {
        var inspector = JPEGInspector()
        return JPEGInspection(bytes.rawSpan, expected: expected ?? size, depth: depth, with: &inspector)
    }

    @Test func `a whole picture is delivered unchanged at any depth`() throws {
        let jpeg = try SampleJPEG.baseline(size)
        for depth in [JPEGInspection.Depth.segments, .entropy] {
            let padded = jpeg + [0, 0]
            let seen = try inspect(padded, depth)
            #expect(seen.faults.isEmpty && seen.quirks.isEmpty)
            #expect(seen.whole == .delivered(count: jpeg.count))
            let copy = seen.whole?.copied(from: padded.rawSpan)
            #expect(copy == jpeg)
        }
    }

    @Test func `an AVI1 picture gets its Huffman tables`() throws {
        let jpeg = try Corpus.file("good-avi1.jpg")
        #expect(jpeg.count > 20 && Array(jpeg[6..<10]) == Array("AVI1".utf8))
        let seen = try inspect(jpeg, expected: FrameSize(width: 96, height: 64))
        #expect(seen.faults.isEmpty)
        guard case .mended(let mended) = seen.whole else {
            Issue.record("nothing was put in")
            return
        }
        #expect(mended.count > jpeg.count)
        #expect(throws: Never.self) { try SampleJPEG.pixels(mended) }
    }

    @Test func `reports the fault of each kind of damage`() throws {
        let jpeg = try SampleJPEG.baseline(size)
        let start = try #require(SampleJPEG.segments(jpeg).last).range.upperBound
        let cases: [(name: String, bytes: [UInt8], fault: PictureFault)] = [
            ("empty", [], .notJPEG),
            ("no SOI", Array(jpeg.dropFirst(2)), .notJPEG),
            ("no tables", SampleJPEG.without(0xDB, jpeg), .notJPEG),
            ("no SOF", SampleJPEG.without(0xC0, jpeg), .notJPEG),
            ("no SOS", SampleJPEG.without(0xDA, jpeg), .notJPEG),
            ("cut in the headers", Array(jpeg.prefix(start - 1)), .truncated),
            ("cut in the data", Array(jpeg.prefix(start + 200)), .truncated),
            ("no EOI", Array(jpeg.dropLast(2)), .truncated),
            ("no data", jpeg.prefix(start) + jpeg.suffix(2), .entropy),
        ]
        for (name, bytes, fault) in cases {
            #expect(try inspect(bytes).faults.map(\.fault) == [fault], "\(name)")
        }
        let other = FrameSize(width: 80, height: 60)
        #expect(try inspect(jpeg, expected: other).faults == [.sizeMismatch(size, expected: other)])
    }

    @Test func `only entropy inspection finds damaged data`() throws {
        let jpeg = try SampleJPEG.baseline(size)
        let start = try #require(SampleJPEG.segments(jpeg).last).range.upperBound
        var damaged = jpeg
        damaged.removeSubrange(start + 50..<start + 300)
        #expect(try inspect(damaged, .segments).faults.isEmpty)
        #expect(try inspect(damaged).faults.map(\.fault) == [.entropy])
        #expect(try inspect(damaged).quirks.isEmpty)
    }

    @Test func `entropy inspection reports emptiness`() throws {
        for (name, shade) in [("black", 0.05), ("even", 0.5)] {
            let layout = PictureLayout(.rgb24, size)
            let flat = SamplePicture.flat(size, .grey(shade)).render(layout)
            let jpeg = try SampleJPEG.encoded(flat, layout, quality: 90)
            #expect(try inspect(jpeg).emptiness == BlankCheck(isBlack: name == "black", isUniform: true), "\(name)")
        }
        let jpeg = try SampleJPEG.baseline(size)
        #expect(try inspect(jpeg).emptiness == BlankCheck(isBlack: false, isUniform: false))
        #expect(try inspect(jpeg, .segments).emptiness == nil)
        // Pictures decoded by libturbojpeg have no emptiness here.
        #expect(try inspect(SampleJPEG.progressive(size)).emptiness == nil)
    }

    @Test(arguments: ["progressive", "arithmetic"])
    func `unsupported coding is checked by libturbojpeg`(_ name: String) throws {
        let jpeg = try Corpus.file("good-\(name).jpg")
        let size = try JPEGHeader.read(jpeg.rawSpan).size
        var inspector = JPEGInspector()
        let seen = JPEGInspection(jpeg.rawSpan, expected: size, depth: .entropy, with: &inspector)
        let isDecoded = inspector.decoder.isMade
        #expect(seen.faults.isEmpty && isDecoded)
    }

    @Test func `header warnings of libjpeg are reported`() throws {
        let jpeg = try SampleJPEG.baseline(size)
        let jfif = try #require(SampleJPEG.segments(jpeg).first { $0.marker == 0xE0 }).range
        let scan = try #require(SampleJPEG.segments(jpeg).last).range
        var (revision, selection) = (jpeg, jpeg)
        revision[jfif.lowerBound + 9] = 2
        selection.replaceSubrange(scan.upperBound - 3..<scan.upperBound, with: [0, 0, 0])
        for (bytes, words) in [(revision, "JFIF"), (selection, "SOS")] {
            let seen = try inspect(bytes)
            #expect(seen.quirks == [.decoderWarning] && seen.faults.map(\.fault) == [.entropy])
            #expect(seen.faults.first?.description.contains(words) == true, "\(seen.faults)")
        }
    }

    @Test(arguments: [UInt64(21), 22, 23])
    func `libturbojpeg accepts every picture that is found intact`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let names = ["420", "restarts", "scans", "grey", "avi1", "optimized", "odd", "progressive"]
        let pictures = try names.map { try Corpus.file("good-\($0).jpg") }
        let memory = try #require(GuardedBytes(Array(repeating: 0, count: pictures.map(\.count).max() ?? 0)))
        var inspector = JPEGInspector()
        var decoder = JPEGDecoder()
        var intact = 0
        for round in 0..<4000 {
            var jpeg = pictures[round % pictures.count]
            // Every second round changes a header, where libjpeg is strict.
            let end = round % 2 == 0 ? jpeg.count : SampleJPEG.segments(jpeg).last?.range.upperBound ?? 0
            jpeg[Int.random(in: 2..<end, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            let source = memory.replaceTail(with: jpeg)
            guard let header = try? JPEGHeader.read(source.bytes), header.size.area < 100_000 else { continue }
            let seen = JPEGInspection(source.bytes, expected: nil, depth: .entropy, with: &inspector)
            guard seen.faults.isEmpty, let whole = seen.whole else { continue }
            intact += 1
            let complaint: String? = whole.withBytes(of: source.bytes) { file in
                do throws(ImagingError) {
                    return try decoder.warning(about: file)
                } catch {
                    return "\(error)"
                }
            }
            #expect(complaint == nil, "round \(round)")
        }
        #expect(intact > 1000)
    }

    @Test func `quirks are distinguished from damage`() throws {
        let jpeg = try SampleJPEG.baseline(size)
        let start = try #require(SampleJPEG.segments(jpeg).last).range.upperBound
        let open = try inspect(Array(jpeg.dropLast(2)) + [0, 0, 0], .segments)
        #expect(open.quirks == [.missingEnd] && open.whole == .mended(jpeg))
        #expect(try inspect(Array(jpeg.prefix(start + 200))).quirks.isEmpty)
        let surplus = jpeg.dropLast(2) + [1, 2, 3] + jpeg.suffix(2)
        let longer = try inspect(Array(surplus))
        #expect(longer.quirks == [.surplusBytes] && longer.whole == .mended(jpeg))
        let adobe: [UInt8] = [0xFF, 0xEE, 0, 14] + Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 9]
        var odd = jpeg
        if let jfif = SampleJPEG.segments(jpeg).first(where: { $0.marker == 0xE0 }) {
            odd.replaceSubrange(jfif.range, with: adobe)
        }
        let warned = try inspect(odd)
        #expect(warned.quirks == [.decoderWarning] && warned.faults.map(\.fault) == [.entropy])
        #expect(warned.faults.first?.description.contains("Adobe") == true)
        // A much larger size is none.
        #expect(try inspect(Array(jpeg.dropLast(2)), expected: FrameSize(width: 8, height: 8)).quirks.isEmpty)
    }
}
