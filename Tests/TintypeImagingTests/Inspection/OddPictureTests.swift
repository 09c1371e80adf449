// SPDX-License-Identifier: Apache-2.0
internal import Testing
internal import TintypeModel

@testable internal import TintypeImaging

/// Whole pictures of cameras that do not follow ITU-T T.81 in every byte (Tests/Fuzz/corpus/odd-*.jpg).
struct OddPictureTests {
    private static let size = FrameSize(width: 160, height: 120)

    private func inspect(
        _ bytes: [UInt8],
        _ depth: JPEGInspection.Depth = .entropy,
        expected: FrameSize = Self.size
    ) -> JPEGInspection {
        var inspector = JPEGInspector()
        return JPEGInspection(bytes.rawSpan, expected: expected, depth: depth, with: &inspector)
    }

    /// Changes the picture of the same camera that has no oddity.
    private func changed(_ change: (inout [UInt8]) -> Void) throws -> [UInt8] {
        var jpeg = try Corpus.file("odd-clean-restarts.jpg")
        change(&jpeg)
        return jpeg
    }

    @Test(arguments: ["stray-between-segments", "app0-length-4-short"])
    func `bytes between segments are left out of a picture without faults`(_ name: String) throws {
        let jpeg = try Corpus.file("odd-\(name).jpg")
        let clean = try Corpus.file("odd-clean-restarts.jpg")
        for depth in [JPEGInspection.Depth.segments, .entropy] {
            let seen = inspect(jpeg, depth)
            #expect(seen.faults.isEmpty && seen.quirks.isEmpty, "\(seen.faults)")
            let file = try #require(seen.whole).copied(from: jpeg.rawSpan)
            let isWhole = JPEGHeader.isWhole(file.rawSpan)
            #expect(isWhole)
            #expect(SampleJPEG.scan(file) == SampleJPEG.scan(clean))
            #expect(try SampleJPEG.pixels(file) == SampleJPEG.pixels(clean))
            #expect(try seen.verdict(for: .strict, isTolerated: false) == .intact)
            #expect(try seen.verdict(for: .tolerant, isTolerated: false) == .sound)
        }
    }

    @Test func `bytes before SOI, an empty segment and too long a segment are left out`() throws {
        let clean = try Corpus.file("odd-clean-restarts.jpg")
        let cases: [(name: String, bytes: [UInt8])] = [
            ("before SOI", [0x0C, 0x8D, 0xFF, 0x00, 1, 2] + clean),
            ("APP0 without a length", try changed { ($0[4], $0[5]) = (0, 0) }),
            ("APP0 longer by 20", try changed { $0[5] += 20 }),
            ("APP0 longer than the file", try changed { ($0[4], $0[5]) = (0xFF, 0xFF) }),
            ("a damaged marker of APP0", try changed { $0[2] = 0xFE }),
            ("a reserved marker", try changed { $0[3] = 0x42 }),
        ]
        for (name, bytes) in cases {
            let seen = inspect(bytes, .segments)
            #expect(seen.faults.isEmpty, "\(name): \(seen.faults)")
            let file = try #require(seen.whole).copied(from: bytes.rawSpan)
            #expect(try SampleJPEG.pixels(file) == SampleJPEG.pixels(clean), "\(name)")
        }
    }

    @Test func `a thumbnail is not taken for the segments that follow it`() throws {
        let thumbnail = try SampleJPEG.baseline(FrameSize(width: 16, height: 16))
        let length = thumbnail.count + 8
        let exif: [UInt8] = [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + Array("Exif\0\0".utf8) + thumbnail
        let clean = try Corpus.file("odd-clean-restarts.jpg")
        let jpeg = try changed { $0.insert(contentsOf: exif + [1, 2, 3], at: 2) }
        let seen = inspect(jpeg)
        #expect(seen.faults.isEmpty, "\(seen.faults)")
        let file = seen.whole?.copied(from: jpeg.rawSpan)
        #expect(file == Array(clean.prefix(2) + exif + clean.dropFirst(2)))
    }

    @Test func `codes are read at any depth if bytes between segments were passed over`() throws {
        let jpeg = try Corpus.file("odd-stray-between-segments.jpg")
        let segments = SampleJPEG.segments(try changed { _ in })
        let scan = try #require(segments.last).range.upperBound
        var damaged = jpeg
        damaged.removeSubrange(scan + 50..<scan + 300)
        #expect(inspect(damaged, .segments).faults.map(\.fault) == [.entropy])
        // A segment that is lost with its marker: the restart interval is needed, the picture is not whole without it.
        let interval = try #require(segments.first { $0.marker == 0xDD }).range
        #expect(inspect(try changed { $0[interval.lowerBound] = 0xFE }, .segments).faults.map(\.fault) == [.entropy])
    }

    @Test func `a picture with very many stray bytes between its segments is not searched for ever`() throws {
        func inspected(_ count: Int) throws -> JPEGInspection {
            // Markers of APP0 without a length: each is passed over on its own.
            let empty = [[UInt8]](repeating: [0xFF, 0xE0, 0, 0], count: count).flatMap(\.self)
            return inspect(try changed { $0.insert(contentsOf: empty, at: 2) })
        }
        #expect(try inspected(JPEGWalk.mostStrays).faults.isEmpty)
        #expect(try inspected(JPEGWalk.mostStrays + 1).faults.map(\.fault) == [.notJPEG])
    }

    @Test func `damaged tables and headers are never passed over`() throws {
        let segments = SampleJPEG.segments(try changed { _ in })
        for marker: UInt8 in [0xDB, 0xC4, 0xC0, 0xDA] {
            let place = try #require(segments.first { $0.marker == marker }).range.lowerBound
            for change in [UInt8(1), 4] {
                let longer = try changed { $0[place + 3] += change }
                let shorter = try changed { $0[place + 3] -= change }
                for bytes in [longer, shorter] {
                    #expect(!inspect(bytes).faults.isEmpty, "\(marker) \(change)")
                }
            }
        }
    }

    @Test(arguments: ["stray-before-each-rst", "ff00-before-each-rst", "stray-before-one-rst"])
    func `surplus bytes before restart markers are left out of a picture that is damaged until tolerated`(
        _ name: String
    ) throws {
        let jpeg = try Corpus.file("odd-\(name).jpg")
        let clean = try Corpus.file("odd-clean-restarts.jpg")
        let seen = inspect(jpeg)
        #expect(seen.faults == [.surplus(jpeg.count - clean.count)] && seen.quirks == [.surplusBytes])
        #expect(throws: ImagingError.surplus(jpeg.count - clean.count)) {
            try seen.verdict(for: .strict, isTolerated: false)
        }
        #expect(try seen.verdict(for: .strict, isTolerated: true) == .tolerated)
        let file = seen.whole?.copied(from: jpeg.rawSpan)
        #expect(file == clean)
        // Their data is not examined.
        let brief = inspect(jpeg, .segments)
        #expect(try brief.verdict(for: .tolerant, isTolerated: false) == .sound)
    }

    @Test(arguments: ["interval-that-ends-early", "damaged-one-interval"])
    func `missing or damaged blocks are never surplus bytes`(_ name: String) throws {
        let seen = inspect(try Corpus.file("odd-\(name).jpg"))
        #expect(seen.faults.map(\.fault) == [.entropy] && seen.quirks.isEmpty)
        #expect(throws: ImagingError.self) { try seen.verdict(for: .strict, isTolerated: true) }
    }

    @Test func `a second fault beside surplus bytes is not tolerated`() throws {
        let jpeg = try Corpus.file("odd-stray-before-each-rst.jpg")
        #expect(inspect(jpeg, expected: FrameSize(width: 80, height: 60)).quirks.isEmpty)
        #expect(inspect(Array(jpeg.dropLast(2))).quirks.isEmpty)
        var version = jpeg
        version[11] = 2
        let seen = inspect(version)
        #expect(seen.quirks.isEmpty && seen.faults.map(\.fault) == [.surplusBytes, .entropy], "\(seen.faults)")
    }

    @Test func `a picture with surplus bytes has statistics and emptiness`() throws {
        let jpeg = try Corpus.file("odd-stray-before-each-rst.jpg")
        let clean = try Corpus.file("odd-clean-restarts.jpg")
        var inspector = JPEGInspector()
        let odd = try inspector.statistics(ofWhole: jpeg.rawSpan)
        let even = try inspector.statistics(ofWhole: clean.rawSpan)
        #expect((odd.meanLuma, odd.meanCb, odd.meanCr) == (even.meanLuma, even.meanCb, even.meanCr))
        #expect(inspect(jpeg).emptiness == inspect(clean).emptiness)
        let isDecoded = inspector.decoder.isMade
        #expect(!isDecoded)
    }

    @Test func `a picture with a few rows more than granted is whole and can be cropped losslessly`() throws {
        let jpeg = try Corpus.file("odd-eight-rows-more-than-granted-160x120.jpg")
        let source = FrameSize(width: 160, height: 128)
        for depth in [JPEGInspection.Depth.segments, .entropy] {
            let seen = inspect(jpeg, depth)
            #expect(seen.faults == [.sizeMismatch(source, expected: Self.size)] && seen.quirks == [.largerSize])
            #expect(throws: ImagingError.self) { try seen.verdict(for: .tolerant, isTolerated: false) }
            #expect(try seen.verdict(for: .strict, isTolerated: true) == .tolerated)
            #expect(try seen.verdict(for: .tolerant, isTolerated: true) == .tolerated)
        }
        var transformer = JPEGTransformer()
        let part = ImageOptions(crop: CropRectangle(size: Self.size, left: 0, top: 0))
        let plan = try GeometryPlan(part, of: source)
        let cropped = try #require(try transformer.transform(jpeg.rawSpan, plan: plan))
        let pixels = try SampleJPEG.pixels(jpeg).prefix(3 * Self.size.area)
        #expect(try SampleJPEG.pixels(cropped) == Array(pixels))
    }

    @Test func `a larger size without its blocks, or much larger, is never tolerated`() throws {
        let clean = try Corpus.file("odd-clean-restarts.jpg")
        let claimed = SampleJPEG.resized(clean, to: FrameSize(width: 160, height: 128))
        for depth in [JPEGInspection.Depth.segments, .entropy] {
            let seen = inspect(claimed, depth)
            #expect(seen.faults.map(\.fault) == [.size, .entropy] && seen.quirks.isEmpty)
        }
        for (width, height) in [(144, 120), (168, 120), (160, 128), (160, 104)] {
            let granted = FrameSize(width: width, height: height)
            let seen = inspect(clean, expected: granted)
            #expect(seen.faults.map(\.fault) == [.size] && seen.quirks.isEmpty, "\(granted)")
        }
    }

    @Test(arguments: ["cmyk", "410", "3x1"])
    func `a whole picture of a kind that libjpeg does not know is not damaged`(_ name: String) throws {
        let jpeg = try Corpus.file("good-\(name).jpg")
        let seen = inspect(jpeg, expected: FrameSize(width: 96, height: 64))
        #expect(seen.faults.isEmpty && seen.refusal?.code == .configurationUnsupported)
        let refusal = try #require(seen.refusal)
        #expect(throws: ImagingError.refused(refusal)) { try seen.verdict(for: .strict, isTolerated: false) }
        let brief = inspect(jpeg, .segments, expected: FrameSize(width: 96, height: 64))
        #expect(try brief.verdict(for: .tolerant, isTolerated: false) == .sound)
        var damaged = jpeg
        damaged.removeSubrange(jpeg.count - 300..<jpeg.count - 100)
        let wrong = inspect(damaged, expected: FrameSize(width: 96, height: 64))
        #expect(wrong.faults.map(\.fault) == [.entropy] && wrong.refusal == nil)
    }
}
