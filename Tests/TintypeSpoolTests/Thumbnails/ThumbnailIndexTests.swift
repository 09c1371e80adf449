// SPDX-License-Identifier: Apache-2.0
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

struct ThumbnailIndexTests {
    private let ids = (0..<4).map { FrameID(at: Timestamp(microseconds: Int64($0) * 1_000_000)) }

    private func name(_ index: Int, _ width: Int = 320) -> ThumbnailName { ThumbnailName(ids[index], width: width) }

    @Test func `names are read as they are written, and nothing else is one`() {
        let name = name(1)
        #expect(ThumbnailName(name.description) == name)
        #expect(name.description == "\(ids[1])-320.jpg")
        let others = [
            "", "\(ids[1]).jpg", "\(ids[1])-320.jpeg", "\(ids[1])-0320.jpg", "\(ids[1])--320.jpg", "a-320.jpg",
            "\(ids[1])_320.jpg", "\(ids[1])-320.jpg.part", "\(ids[1])".uppercased() + "-320.jpg", "\(ids[1])-+320.jpg",
        ]
        for text in others { #expect(ThumbnailName(text) == nil, "\(text)") }
    }

    @Test func `room is counted in whole blocks, and a file that is put again counts once`() {
        var index = ThumbnailIndex()
        index.put(name(0), bytes: 1)
        #expect(index.bytes == 4096)
        index.put(name(0), bytes: 4097)
        #expect(index.bytes == 8192)
        index.put(name(0, 640), bytes: 4096)
        #expect(index.bytes == 12_288)
        index.take(name(0))
        #expect(index.bytes == 4096)
        index.take(name(0))
        #expect(index.bytes == 4096)
    }

    @Test func `those that were used longest ago go first`() {
        var index = ThumbnailIndex()
        for number in 0..<4 { index.put(name(number), bytes: 100) }
        let (isThere, isOther) = (index.use(name(0)), index.use(name(0, 640)))
        #expect(isThere && !isOther)
        let first = index.take(downTo: 2 * 4096)
        #expect(first == [name(1), name(2)])
        #expect(index.bytes == 2 * 4096)
        let second = index.take(downTo: 2 * 4096)
        #expect(second == [])
        let third = index.take(downTo: 0)
        #expect(third == [name(3), name(0)])
        #expect(index.bytes == 0)
    }

    @Test func `all of a frame go together`() {
        var index = ThumbnailIndex()
        for width in [640, 320] { index.put(name(2, width), bytes: 5000) }
        index.put(name(3), bytes: 1)
        let first = index.take(allOf: ids[2])
        #expect(first == [name(2, 320), name(2, 640)])
        let second = index.take(allOf: ids[2])
        #expect(second == [])
        #expect(index.bytes == 4096)
    }
}
