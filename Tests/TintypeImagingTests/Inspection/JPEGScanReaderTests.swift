// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeImaging

struct JPEGScanReaderTests {
    private let size = FrameSize(width: 200, height: 120)

    private func read(_ bytes: [UInt8]) throws(ImagingError) -> JPEGScanFinding {
        var reader = JPEGScanReader()
        return try reader.read(bytes.rawSpan)
    }

    private func isDamaged(_ finding: JPEGScanFinding, _ words: String? = nil) -> Bool {
        if case .damaged(let why) = finding { words.map(why.contains) ?? true } else { false }
    }

    private func isWhole(_ finding: JPEGScanFinding) -> Bool { if case .whole = finding { true } else { false } }

    /// Applies a change to the entropy-coded data of a picture.
    private func changed(_ jpeg: [UInt8], _ change: (inout [UInt8]) -> Void) -> [UInt8] {
        let start = SampleJPEG.segments(jpeg).last?.range.upperBound ?? 0
        var data = Array(jpeg[start..<jpeg.count - 2])
        change(&data)
        return jpeg[..<start] + data + jpeg.suffix(2)
    }

    @Test(arguments: [
        "sequential", "422", "444", "420", "440", "grey", "restarts", "optimized", "scans", "avi1", "odd",
    ])
    func `reads every baseline variant as whole`(_ name: String) throws {
        let jpeg = try Corpus.file("good-\(name).jpg")
        #expect(try read(jpeg) == .whole(end: jpeg.count - 2))
        var inspector = JPEGInspector()
        let header = try JPEGHeader.read(jpeg.rawSpan)
        let seen = JPEGInspection(jpeg.rawSpan, expected: header.size, depth: .entropy, with: &inspector)
        #expect(seen.faults.isEmpty && seen.quirks.isEmpty)
        let (isPlain, isDecoded) = (inspector.reader.isPlain, inspector.decoder.isMade)
        #expect(isPlain && !isDecoded)
    }

    @Test func `tables are not kept for the next picture`() throws {
        var reader = JPEGScanReader()
        let own = try Corpus.file("good-optimized.jpg")
        let standard = try Corpus.file("good-avi1.jpg")
        let bare = SampleJPEG.withoutTables(own)
        for _ in 0..<2 {
            let findings = try [own, standard, bare, own, bare].map { try reader.read($0.rawSpan) }
            #expect(findings[0] == .whole(end: own.count - 2) && findings[3] == findings[0])
            #expect(findings[1] == .whole(end: standard.count - 2))
            for finding in [findings[2], findings[4]] { #expect(finding != .whole(end: bare.count - 2)) }
            // The standard tables do not complete a partial set.
            let ac = try #require(SampleJPEG.segments(own).last { $0.marker == 0xC4 }).range
            let part = Array(own[..<ac.lowerBound] + own[ac.upperBound...])
            let finding = try reader.read(part.rawSpan)
            #expect(isDamaged(finding, "a table that there is not"))
        }
    }

    @Test func `rejects invalid Huffman tables as libjpeg does`() throws {
        let jpeg = try SampleJPEG.baseline(size)
        let tables = SampleJPEG.segments(jpeg).filter { $0.marker == 0xC4 }.map(\.range)
        let (dc, ac) = (try #require(tables.first), try #require(tables.dropFirst().first))
        var (ones, large) = (jpeg, jpeg)
        // The table is full: replacing a code of 16 bits by one of 15 bits makes the last code all ones.
        ones[ac.lowerBound + 4 + 15] += 1
        ones[ac.lowerBound + 4 + 16] -= 1
        large[dc.upperBound - 1] = 16
        for bytes in [ones, large] {
            #expect(throws: ImagingError.self) { try read(bytes) }
            var decoder = JPEGDecoder()
            #expect(throws: ImagingError.self) { try decoder.warning(about: bytes.rawSpan) }
        }
    }

    @Test func `accepts padding after EOI and a fill byte before it`() throws {
        let jpeg = try SampleJPEG.baseline(size)
        #expect(try read(jpeg + [0, 0, 7]) == .whole(end: jpeg.count - 2))
        #expect(try read(Array(jpeg.dropLast(2)) + [0xFF] + jpeg.suffix(2)) == .whole(end: jpeg.count - 2))
    }

    @Test func `a picture without EOI ends at its last block`() throws {
        let jpeg = try SampleJPEG.baseline(size)
        let cut = Array(jpeg.dropLast(2))
        #expect(try read(cut) == .whole(end: cut.count))
        #expect(try read(cut + [UInt8](repeating: 0, count: 500)) == .whole(end: cut.count))
        let stuffed = try Corpus.file("good-stuffed.jpg").dropLast(2)
        #expect(try read(stuffed + [UInt8](repeating: 0, count: 500)) == .whole(end: stuffed.count))
    }

    @Test func `a picture cut at any byte is not whole`() throws {
        for name in ["good-420.jpg", "good-restarts.jpg", "good-scans.jpg", "good-grey.jpg"] {
            let jpeg = try Corpus.file(name)
            let memory = try #require(GuardedBytes(jpeg))
            var reader = JPEGScanReader()
            for count in 0..<jpeg.count - 3 {
                let source = memory.replaceTail(with: Array(jpeg.prefix(count)))
                if let finding = try? reader.read(source.bytes) {
                    guard case .whole = finding else { continue }
                    Issue.record("\(name): \(count) of \(jpeg.count) bytes are whole")
                }
            }
        }
    }

    @Test func `finds up to 16 surplus bytes after the last block, and damage in more`() throws {
        let jpeg = try SampleJPEG.baseline(size)
        let end = jpeg.count - 2
        for count in [1, 2, 9, 16] {
            let longer = changed(jpeg) { $0 += [UInt8](repeating: 0x2A, count: count) }
            #expect(try read(longer) == .surplus([end..<end + count]))
        }
        for count in [17, 400] {
            #expect(isDamaged(try read(changed(jpeg) { $0 += [UInt8](repeating: 0x2A, count: count) })))
        }
        #expect(isDamaged(try read(changed(jpeg) { $0 += [0xFF, 0xD0] })))
    }

    @Test func `finds up to 16 surplus bytes before restart markers, and damage in more`() throws {
        let jpeg = try Corpus.file("good-restarts.jpg")
        let places = jpeg.indices.dropLast().filter { jpeg[$0] == 0xFF && (0xD0...0xD7).contains(jpeg[$0 + 1]) }
        let (first, third) = (places[0], places[2])
        for bytes: [UInt8] in [[0x3F], [0, 0, 0], [0xFF, 0], [UInt8](repeating: 0x12, count: 16)] {
            var longer = jpeg
            longer.insert(contentsOf: bytes, at: third)
            longer.insert(contentsOf: bytes, at: first)
            let second = third + bytes.count
            #expect(try read(longer) == .surplus([first..<first + bytes.count, second..<second + bytes.count]))
        }
        var longer = jpeg
        longer.insert(contentsOf: [UInt8](repeating: 0x12, count: 17), at: first)
        #expect(isDamaged(try read(longer), "restart marker 0"))
        var filled = jpeg
        filled.insert(contentsOf: [0xFF, 0xFF], at: first)
        #expect(isWhole(try read(filled)))
    }

    @Test func `detects missing data`() throws {
        let jpeg = try SampleJPEG.baseline(size)
        let shorter = changed(jpeg) { $0.removeSubrange(100..<400) }
        let finding = try read(shorter)
        #expect(finding != .whole(end: shorter.count - 2))
        #expect(isDamaged(try read(changed(jpeg) { $0.removeAll() }), "its data ends in MCU 1 of"))
    }

    @Test func `a wrong sequence of restart markers is damage`() throws {
        let jpeg = try Corpus.file("good-restarts.jpg")
        let places = jpeg.indices.dropLast().filter { jpeg[$0] == 0xFF && (0xD0...0xD7).contains(jpeg[$0 + 1]) }
        #expect(places.count > 3)
        let second = places[1]
        var lost = jpeg
        lost.removeSubrange(second..<second + 2)
        var doubled = jpeg
        doubled.insert(contentsOf: jpeg[second..<second + 2], at: second)
        var other = jpeg
        other[second + 1] = 0xD5
        // A whole interval with its marker: libjpeg resumes after the next one.
        var interval = jpeg
        interval.removeSubrange(second..<places[2])
        for damaged in [lost, doubled, other, interval] { #expect(isDamaged(try read(damaged))) }
    }

    @Test func `impossible coefficients and codes are damage`() throws {
        // A grey block of 8x8 by the standard tables: DC difference 0 is 00, F/0 (16 zeros) is 11111111001.
        let head = try Corpus.file("head-grey-8x8.jpg")
        func picture(_ bits: String) -> [UInt8] {
            let padded = bits + String(repeating: "1", count: (8 - bits.count % 8) % 8)
            var data: [UInt8] = []
            var rest = Substring(padded)
            while !rest.isEmpty {
                let byte = UInt8(rest.prefix(8), radix: 2) ?? 0
                data += byte == 0xFF ? [0xFF, 0] : [byte]
                rest = rest.dropFirst(8)
            }
            return head + data + [0xFF, 0xD9]
        }
        let zeros = "11111111001"
        #expect(isWhole(try read(picture("00" + "1010"))))
        let overrun = picture("00" + String(repeating: zeros, count: 4) + "1010")
        #expect(isDamaged(try read(overrun), "64 coefficients"))
        // DC of 11 bits, +2047: more than 8 times the brightest block.
        let bright = picture("111111110" + "11111111111" + "1010")
        #expect(isDamaged(try read(bright), "no picture has"))
        // AC 0/A, ten bits: 1023 times its step.
        let sharp = picture("00" + "1111111110000011" + "1111111111" + "1010")
        #expect(isDamaged(try read(sharp), "no picture has"))
        // The same by short codes: 0/6, 63 times the step of the 49th coefficient, among the coarse ones.
        let late = picture("00" + String(repeating: zeros, count: 3) + "1111000" + "111111" + "1010")
        #expect(isDamaged(try read(late), "no picture has"))
        // As the first coefficient, with a fine step, the same value is valid.
        #expect(isWhole(try read(picture("00" + "1111000" + "111111" + "1010"))))
        let unknown = picture("00" + "1111111111111111")
        #expect(isDamaged(try read(unknown), "in no table"))
    }

    @Test(arguments: [UInt64(5), 6])
    func `no picture that libturbojpeg refuses is whole`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let pictures = try ["good-420.jpg", "good-restarts.jpg", "good-422.jpg"].map { try Corpus.file($0) }
        let memory = try #require(GuardedBytes(Array(repeating: 0, count: pictures.map(\.count).max() ?? 0)))
        var reader = JPEGScanReader()
        var decoder = JPEGDecoder()
        var warned = 0
        for round in 0..<3000 {
            var jpeg = pictures[round % pictures.count]
            let start = (SampleJPEG.segments(jpeg).last?.range.upperBound ?? 0)..<jpeg.count - 2
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let place = Int.random(in: start, using: &generator)
                jpeg[place] = UInt8.random(in: 0...255, using: &generator)
            }
            let source = memory.replaceTail(with: jpeg)
            let finding = try? reader.read(source.bytes)
            do {
                guard try decoder.warning(about: source.bytes) != nil else { continue }
            } catch {}
            warned += 1
            if let finding, case .whole = finding { Issue.record("round \(round) of seed \(seed)") }
        }
        #expect(warned > 500)
    }
}
