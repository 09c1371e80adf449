// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeModel

@testable import TintypeImaging

struct MotionRuleTests {
    /// A furnished room, seen by a noisy sensor at five samples a second.
    struct Room {
        static let size = FrameSize(width: 320, height: 240)

        var rule: MotionRule
        /// Relative light at a position, normally 1.
        var light: (_ x: Int, _ y: Int) -> Double = { _, _ in 1 }
        /// Luma of an object at a position, or nil.
        var thing: (_ x: Int, _ y: Int) -> Double? = { _, _ in nil }
        /// Largest deviation of a pixel by sensor noise.
        let noise: Int
        /// Changes found so far, with their time in seconds.
        private(set) var changes: [(second: Double, what: MotionRule.Change)] = []
        private(set) var second = 0.0
        private var stream: UInt64 = 1
        private var generator = SeededGenerator(seed: 7)

        /// Creates a room after ten seconds without events.
        init(noise: Int = 12, _ change: (inout MotionSettings) -> Void = { _ in }) throws {
            var settings = MotionSettings()
            change(&settings)
            rule = MotionRule(settings)
            self.noise = noise
            try pass(10)
        }

        private static let furniture = (0..<size.area).map { place in
            let (x, y) = (place % size.width, place / size.width)
            return 40 + Double(x) * 0.3 + (y > 150 ? 30 : 0) + (x >= 80 && x < 140 && y >= 60 && y < 180 ? 50 : 0)
        }

        /// Generates a picture; only pixels in even columns and rows are sampled.
        func picture() -> (_ generator: inout SeededGenerator) -> [UInt8] {
            { generator in
                let (light, thing, furniture, width) = (light, thing, Self.furniture, Self.size.width)
                return generator.greyPicture(width: width, height: Self.size.height, noise: noise) { x, y in
                    (thing(x, y) ?? furniture[y * width + x]) * light(x, y)
                }
            }
        }

        /// Adds a sample of the room, or of `bytes`.
        mutating func sample(_ bytes: [UInt8]? = nil) throws {
            let bytes = bytes ?? picture()(&generator)
            let layout = PictureLayout(
                pixelFormat: .grey,
                size: Self.size,
                bytesPerRow: Self.size.width,
                color: .jfif
            )
            let statistics = try unsafe FrameStatistics(bytes.span.bytes, layout: layout)
            let moment = MonotonicTime(nanoseconds: Int64(second * 1e9) + 1_000_000_000_000)
            if let change = rule.add(statistics, stream: stream, at: moment) { changes.append((second, change)) }
            second += 0.2
        }

        /// Samples for a number of seconds and calls `body` before each sample.
        mutating func pass(_ seconds: Double, _ body: (inout Room, _ passed: Double) -> Void = { _, _ in }) throws {
            let began = second
            while second - began < seconds - 0.1 {
                body(&self, second - began)
                try sample()
            }
        }

        mutating func restart() { stream += 1 }

        /// Moves a person of this size from left to right.
        mutating func cross(_ seconds: Double, width: Int, height: Int, top: Int = 100) throws {
            try pass(seconds) { room, passed in
                let left = Int(Double(Self.size.width + width) * passed / seconds) - width
                room.thing = { x, y in
                    x >= left && x < left + width && y >= top && y < top + height ? 200 : nil
                }
            }
            thing = { _, _ in nil }
        }

        /// The kind of each change as a word.
        var words: [String] { changes.map { $0.what == .ended ? "ended" : "began" } }
    }

    @Test(arguments: [2, 12, 30]) func `sensor noise is not motion`(_ noise: Int) throws {
        var room = try Room(noise: noise)
        try room.pass(110)
        #expect(room.changes.isEmpty)
    }

    @Test(arguments: [(16, 24), (100, 160), (300, 240)])
    func `a crossing object of any size is motion that ends`(_ width: Int, _ height: Int) throws {
        var room = try Room { $0.hold = .seconds(5) }
        try room.cross(6, width: width, height: height, top: height == 240 ? 0 : 70)
        #expect(room.words == ["began"] && room.rule.isMoving)
        try room.pass(30)
        #expect(room.words == ["began", "ended"] && !room.rule.isMoving)
        let began = try #require(room.changes.first)
        #expect(began.second < 13)
        // Motion is reported at the second sample and dated from the first.
        let first = MonotonicTime(nanoseconds: Int64((began.second - 0.2) * 1e9) + 1_000_000_000_000)
        #expect(began.what == .began(first))
        #expect(room.rule.largestShare >= (width == 16 ? 1 : 10))
    }

    @Test func `motion ends after the hold time without movement`() throws {
        var room = try Room { $0.hold = .seconds(8) }
        try room.cross(4, width: 60, height: 60)
        let last = room.second
        try room.pass(5)
        try room.cross(4, width: 60, height: 60)
        try room.pass(20)
        #expect(room.words == ["began", "ended"])
        let end = try #require(room.changes.last?.second)
        #expect(abs(end - (last + 9 + 8)) < 1.5)
    }

    @Test(arguments: [0.3, 0.6, 1.8, 3]) func `switching a lamp is not motion`(_ gain: Double) throws {
        var room = try Room()
        // The difference is largest near the lamp.
        let lamp: (Int, Int) -> Double = { x, y in
            let distance = Double((x - 280) * (x - 280) + (y - 30) * (y - 30)).squareRoot() / 400
            return 1 + (gain - 1) * (1 - 0.7 * min(1, distance))
        }
        // The camera adjusts its exposure within two seconds.
        try room.pass(2) { room, passed in room.light = { lamp($0, $1) * (1 + (1 / gain - 1) * 0.3 * passed / 2) } }
        try room.pass(20)
        #expect(room.changes.isEmpty)
        try room.cross(5, width: 40, height: 60)
        #expect(room.words == ["began"], "what moves in the new light is seen")
    }

    @Test func `slow daylight changes are not motion`() throws {
        var room = try Room()
        // Fades to a fifth of the light in two minutes, one side first.
        try room.pass(120) { room, passed in
            room.light = { x, _ in 1 - 0.8 * min(1, max(0, passed / 100 - Double(x) / 1600)) }
        }
        #expect(room.changes.isEmpty)
    }

    @Test func `exposure adjustment neither causes nor hides motion`() throws {
        var room = try Room()
        try room.pass(8) { room, passed in room.light = { _, _ in 1 + 0.05 * passed } }
        #expect(room.changes.isEmpty)
        try room.cross(5, width: 40, height: 60)
        #expect(room.words == ["began"])
    }

    @Test func `motion in masked areas is ignored`() throws {
        let mask = try #require(MaskShape("100x50+0+50"))
        var room = try Room { $0.mask = [mask] }
        try room.cross(6, width: 60, height: 80, top: 130)
        #expect(room.changes.isEmpty)
        try room.cross(6, width: 60, height: 80, top: 20)
        #expect(room.words == ["began"])
    }

    @Test func `motion below the area limit is ignored`() throws {
        var room = try Room { $0.area = 5 }
        try room.cross(6, width: 30, height: 30)
        #expect(room.changes.isEmpty)
        try room.cross(6, width: 100, height: 160)
        #expect(room.words == ["began"])
    }

    @Test func `luma changes below the threshold are ignored`() throws {
        var room = try Room { $0.threshold = 220 }
        try room.cross(6, width: 100, height: 160)
        #expect(room.changes.isEmpty)
    }

    @Test func `a stationary object becomes background`() throws {
        var room = try Room { $0.hold = .seconds(5) }
        room.thing = { x, y in (200..<260).contains(x) && (100..<160).contains(y) ? 220 : nil }
        try room.pass(4)
        room.thing = { _, _ in nil }
        try room.pass(1)
        #expect(room.rule.share == 0, "it was too short to be learned")
        room.thing = { x, y in (200..<260).contains(x) && (100..<160).contains(y) ? 220 : nil }
        try room.pass(40)
        #expect(room.words == ["began", "ended"] && room.rule.share == 0)
    }

    @Test func `single odd frames and uniform frames are not motion`() throws {
        var room = try Room()
        for tone in [UInt8(0), 128, 255] {
            try room.sample([UInt8](repeating: tone, count: Room.size.area))
            try room.pass(2)
        }
        for tone in [UInt8(0), 128] {
            for _ in 0..<100 { try room.sample([UInt8](repeating: tone, count: Room.size.area)) }
            try room.pass(5)
        }
        // One picture is half grey.
        room.thing = { _, y in y > 120 ? 128 : nil }
        try room.pass(0.2)
        room.thing = { _, _ in nil }
        try room.pass(5)
        #expect(room.changes.isEmpty)
    }

    @Test func `a frozen picture is not motion`() throws {
        var room = try Room(noise: 1)
        let frozen = room.picture()
        var generator = SeededGenerator(seed: 1)
        let bytes = frozen(&generator)
        for _ in 0..<50 { try room.sample(bytes) }
        try room.pass(5)
        #expect(room.changes.isEmpty)
    }

    @Test func `a stream restart is not motion`() throws {
        var room = try Room()
        room.restart()
        // The picture is dark, then too bright, and entirely shifted.
        try room.pass(3) { room, passed in
            room.light = { _, _ in min(1.4, 0.1 + passed) }
            room.thing = { x, y in Double((x + 90) % 320) * 0.4 + (y > 90 ? 40 : 0) }
        }
        room.light = { _, _ in 1 }
        try room.pass(20)
        #expect(room.changes.isEmpty)
    }

    @Test func `a stream restart does not shorten the hold time`() throws {
        var room = try Room { $0.hold = .seconds(6) }
        try room.cross(3, width: 60, height: 60)
        room.restart()
        try room.pass(4)
        #expect(room.words == ["began"])
        try room.pass(5)
        #expect(room.words == ["began", "ended"])
    }

    @Test func `the end of the stream ends motion`() throws {
        var room = try Room()
        try room.cross(3, width: 60, height: 60)
        #expect(room.rule.end() == .ended && !room.rule.isMoving && room.rule.share == 0)
        #expect(room.rule.end() == nil)
    }

    @Test func `motion outside of the crop or under the mask of the look is ignored`() throws {
        var look = CameraLook()
        look.turn = .half
        look.size = FrameSize(width: 100, height: 100)
        look.crop = CropRectangle("100x60+0+0")
        look.mask = [try #require(MaskShape("100x10+0+50"))]
        var settings = MotionSettings()
        settings.look = look
        // The upper half of the upright picture is the lower one of the camera's.
        let visible = (0..<10).filter { row in
            let cell = CropRectangle(size: FrameSize(width: 1, height: 1), left: 0, top: row)
            return !settings.lookWithMask.hides(cell, of: FrameSize(width: 1, height: 10))
        }
        #expect(visible == [5, 6, 7, 8, 9])
    }
}
