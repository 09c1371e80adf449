// SPDX-License-Identifier: Apache-2.0
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeImaging

/// Mutated pictures before a guard page: an out-of-bounds read ends the test run.
struct JPEGMutationTests {
    private let size = FrameSize(width: 40, height: 24)

    @Test(arguments: [UInt64(1), 2, 3, 4])
    func `a mutated picture either passes as whole or is refused`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let whole = [
            try SampleJPEG.baseline(size), SampleJPEG.progressive(size),
            SampleJPEG.withoutTables(try SampleJPEG.baseline(size)),
        ]
        let longest = 2 * (whole.map(\.count).max() ?? 0)
        let memory = try #require(GuardedBytes(Array(repeating: 0, count: longest)))
        var decoder = JPEGDecoder()
        var outcomes = (passed: 0, refused: 0)
        for round in 0..<6000 {
            let damaged = mutate(whole[round % whole.count], &generator, longest)
            let source = memory.replaceTail(with: damaged)
            let isWhole = JPEGHeader.isWhole(source.bytes)
            do {
                let picture = try passedThrough(source.bytes)
                outcomes.passed += 1
                // An accepted picture has SOI and EOI, grows by the tables at most, and is accepted again.
                #expect(picture.starts(with: [0xFF, 0xD8]) && picture.suffix(2) == [0xFF, 0xD9])
                #expect(picture.count <= damaged.count + 420)
                let isPassedWhole = JPEGHeader.isWhole(picture.rawSpan)
                #expect(isPassedWhole)
                let again = try passedThrough(picture.rawSpan)
                #expect(again == picture)
            } catch {
                outcomes.refused += 1
                // A whole file is refused only for tables that cannot be supplied, and for its data if markers of the
                // data are between its segments.
                #expect(!isWhole || error.fault == .entropy || error.description.contains("no Huffman tables"))
            }
            if let header = try? JPEGHeader.read(source.bytes) {
                #expect(header.size.width > 0 && header.size.height > 0 && (1...4).contains(header.componentCount))
                if header.size.area < 100_000 { _ = try? decoder.decodeRGB(source.bytes) }
            }
        }
        #expect(outcomes.passed > 500 && outcomes.refused > 500, "\(outcomes)")
    }

    /// Makes one to eight changes: bytes, bits, markers, cuts, repeated and removed ranges.
    private func mutate(_ jpeg: [UInt8], _ generator: inout SeededGenerator, _ longest: Int) -> [UInt8] {
        var bytes = jpeg
        for _ in 0..<Int.random(in: 1...8, using: &generator) where bytes.count > 4 {
            let place = Int.random(in: 0..<bytes.count, using: &generator)
            let end = min(bytes.count, place + Int.random(in: 1...60, using: &generator))
            switch Int.random(in: 0..<8, using: &generator) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
            case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 2: bytes[place] = 0xFF
            case 3:
                bytes[max(1, place) - 1] = 0xFF
                bytes[max(1, place)] = UInt8.random(in: 0xC0...0xFE, using: &generator)
            case 4: bytes.removeLast(min(bytes.count - 1, Int.random(in: 1...40, using: &generator)))
            case 5: bytes.removeSubrange(place..<end)
            case 6 where bytes.count + end - place <= longest: bytes.insert(contentsOf: bytes[place..<end], at: place)
            default:
                // Headers are a small part of the file and get a share of their own.
                bytes[min(place % 40, bytes.count - 1)] = UInt8.random(in: 0...255, using: &generator)
            }
        }
        return bytes
    }

    @Test(arguments: [UInt64(11), 12, 13])
    func `transforming a mutated picture reads only the buffer`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let whole = ChromaSampling.allCases.map { SampleJPEG.sampled($0, size) } + [SampleJPEG.progressive(size)]
        let longest = 2 * (whole.map(\.count).max() ?? 0)
        let memory = try #require(GuardedBytes(Array(repeating: 0, count: longest)))
        let crop = CropRectangle(size: FrameSize(width: 17, height: 9), left: 9, top: 9)
        var transformer = JPEGTransformer()
        var picture = PlanarPicture()
        var outcomes = (turned: 0, drawn: 0, refused: 0)
        for round in 0..<4000 {
            let source = memory.replaceTail(with: mutate(whole[round % whole.count], &generator, longest))
            guard let header = try? JPEGHeader.read(source.bytes), header.size.area < 100_000 else { continue }
            let way = WayRound.all[round % WayRound.all.count]
            let isCropped = crop.lies(within: header.size) && round % 3 == 0
            let rendering = way.rendering(width: round % 2 == 0 ? nil : 11, crop: isCropped ? crop : nil)
            let plan = try GeometryPlan(rendering, of: header.size)
            do {
                if let turned = try transformer.transform(source.bytes, plan: plan, strict: round % 4 < 2) {
                    outcomes.turned += 1
                    let isWhole = JPEGHeader.isWhole(turned.rawSpan)
                    #expect(isWhole)
                }
                try transformer.draw(source.bytes, plan: plan, strict: round % 4 < 2, into: &picture)
                #expect(picture.size == plan.size)
                outcomes.drawn += 1
            } catch {
                outcomes.refused += 1
            }
        }
        #expect(outcomes.turned > 200 && outcomes.drawn > 200 && outcomes.refused > 200, "\(outcomes)")
    }

    @Test func `random bytes after SOI are never whole`() throws {
        var generator = SeededGenerator(seed: 99)
        let memory = try #require(GuardedBytes(Array(repeating: 0, count: 512)))
        for _ in 0..<4000 {
            let count = Int.random(in: 0...510, using: &generator)
            // Many FF bytes: markers at every offset.
            let noise = (0..<count).map { _ in
                Bool.random(using: &generator) ? UInt8.random(in: 0...255, using: &generator) : 0xFF
            }
            let source = memory.replaceTail(with: [0xFF, 0xD8] + noise)
            _ = try? JPEGHeader.read(source.bytes)
            let isWhole = JPEGHeader.isWhole(source.bytes)
            #expect(!isWhole)
        }
    }
}
