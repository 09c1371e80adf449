// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

@testable import TintypeCapture
@testable import TintypeImaging

struct AlarmRuleTests {
    /// A rule, and its changes with the second at which each was made.
    private struct Story {
        static let start = MonotonicTime(nanoseconds: 10_000_000_000)

        var rule: AlarmRule
        var told: [String] = []
        private var now = 0

        init(_ limits: [CameraAlarm: Duration]) { rule = AlarmRule(limits) }

        static func moment(_ second: Int) -> MonotonicTime { start + .seconds(second) }

        /// Lets time pass until `second`, with the checks that the rule asks for.
        mutating func wait(until second: Int) {
            while let next = rule.nextCheck, next <= Self.moment(second) {
                now = Int((next - Self.start).components.seconds)
                tell(rule.check(at: next))
            }
            now = second
        }

        mutating func enter(_ state: SessionState.Name, at second: Int) {
            wait(until: second)
            tell(rule.enter(state, at: Self.moment(second)))
        }

        /// A good frame each second.
        mutating func stream(_ seconds: Range<Int>, isHidden: Bool = false) {
            for second in seconds {
                wait(until: second)
                tell(rule.frameCame(at: Self.moment(second), isHidden: isHidden))
            }
        }

        mutating func see(_ look: AlarmSample?, at second: Int) {
            wait(until: second)
            tell(rule.add(look, at: Self.moment(second)))
        }

        mutating func end(at second: Int) {
            wait(until: second)
            tell(rule.end())
        }

        private mutating func tell(_ changes: [AlarmRule.Change]) {
            for change in changes {
                switch change {
                case .began(let alarm, let since):
                    told.append("\(now): \(alarm.rawValue) since \((since - Self.start).components.seconds)")
                case .ended(let alarm): told.append("\(now): no \(alarm.rawValue)")
                }
            }
        }
    }

    private static let content: [CameraAlarm: Duration] = [
        .frozen: .seconds(30), .black: .seconds(30), .uniform: .seconds(30),
    ]

    private static func live(_ second: Int) -> AlarmSample {
        AlarmSample(digest: UInt64(1000 + second), emptiness: BlankCheck(isBlack: false, isUniform: false))
    }
    private static let still = AlarmSample(digest: 1, emptiness: BlankCheck(isBlack: false, isUniform: false))
    /// Without noise, so that it would be frozen, too.
    private static let black = AlarmSample(digest: 2, emptiness: BlankCheck(isBlack: true, isUniform: true))
    private static let grey = AlarmSample(digest: 3, emptiness: BlankCheck(isBlack: false, isUniform: true))

    @Test(arguments: [1, 10])
    func `frozen, black and uniform for a minute are one alarm and one end each`(_ step: Int) {
        var story = Story(Self.content)
        for second in stride(from: 0, through: 400, by: step) {
            let look =
                switch second {
                case 30..<90: Self.still
                case 120..<180: Self.black
                case 210..<270: Self.grey
                default: Self.live(second)
                }
            story.see(look, at: second)
        }
        #expect(
            story.told == [
                "60: frozen since 30", "90: no frozen", "150: black since 120", "180: no black",
                "240: uniform since 210", "270: no uniform",
            ]
        )
    }

    @Test func `a condition that is interrupted begins anew`() {
        var story = Story(Self.content)
        for second in 0..<300 { story.see(second % 30 == 0 ? Self.live(second) : Self.black, at: second) }
        for second in 300..<600 { story.see(second % 30 == 0 ? Self.live(second) : Self.still, at: second) }
        #expect(story.told.isEmpty)
    }

    @Test func `only the first configured cause is reported`() {
        for (limits, alarm) in [
            ([.black, .uniform, .frozen], "black since 0"), ([.uniform, .frozen], "uniform since 0"),
            ([.frozen], "frozen since 0"),
        ] as [([CameraAlarm], String)] {
            var story = Story(Self.content.filter { limits.contains($0.key) })
            for second in 0..<60 { story.see(Self.black, at: second) }
            #expect(story.told == ["30: \(alarm)"])
        }
    }

    @Test func `pictures of one tone that are black now and then are uniform, and then black in its place`() {
        var story = Story(Self.content)
        for second in 0..<60 { story.see(second % 10 == 0 ? Self.black : Self.grey, at: second) }
        for second in 60..<120 { story.see(Self.black, at: second) }
        story.see(Self.live(120), at: 120)
        #expect(
            story.told == [
                "31: uniform since 0", "90: black since 60", "90: no uniform", "120: no black",
            ]
        )
    }

    @Test func `a frame begins an alarm, not the time since the last one`() {
        var story = Story(Self.content)
        story.enter(.opening, at: 0)
        story.see(Self.black, at: 1)
        story.enter(.off, at: 2)
        story.wait(until: 3600)
        #expect(story.told.isEmpty)
        story.see(Self.black, at: 3600)
        story.enter(.off, at: 3601)
        story.wait(until: 7000)
        story.see(Self.live(0), at: 7200)
        #expect(story.told == ["3600: black since 1", "7200: no black"])
    }

    @Test func `five losses of a second are no alarm, and a long one is one`() {
        var story = Story([.noPicture: .seconds(300)])
        story.enter(.opening, at: 0)
        for loss in 1...5 {
            story.stream((loss - 1) * 60..<loss * 60 - 1)
            story.enter(.interrupted, at: loss * 60 - 1)
            story.enter(.opening, at: loss * 60)
        }
        story.stream(300..<400)
        #expect(story.told.isEmpty)
        for second in stride(from: 400, to: 1000, by: 10) {
            story.enter(.interrupted, at: second)
            story.enter(.opening, at: second)
        }
        story.stream(1000..<1100)
        #expect(story.told == ["699: noPicture since 399", "1000: no noPicture"])
    }

    @Test func `a camera that is off gives no picture on purpose`() {
        var story = Story([.noPicture: .seconds(300)])
        story.wait(until: 1000)
        story.enter(.opening, at: 1000)
        story.stream(1000..<1010)
        story.enter(.off, at: 1010)
        story.wait(until: 100_000)
        #expect(story.told.isEmpty)
        // From its opening on, if it never gives a picture.
        story.enter(.opening, at: 100_000)
        story.wait(until: 100_299)
        #expect(story.told.isEmpty)
        story.wait(until: 100_400)
        // It has not given one yet.
        story.enter(.off, at: 100_500)
        story.enter(.opening, at: 100_600)
        story.stream(100_601..<100_610)
        #expect(story.told == ["100300: noPicture since 100000", "100601: no noPicture"])
    }

    @Test(arguments: [false, true])
    func `short uses without a good picture are an alarm at the end of the first after the time`(_ isDamaged: Bool) {
        var story = Story([.noPicture: .seconds(60)])
        for second in stride(from: 0, to: 100, by: 30) {
            story.enter(.opening, at: second)
            if isDamaged {
                story.stream(second + 1..<second + 2)
                story.see(nil, at: second + 2)
                story.stream(second + 3..<second + 5)
            }
            story.enter(.off, at: second + 10)
        }
        #expect(story.told == [isDamaged ? "70: noPicture since 1" : "70: noPicture since 0"])
        story.enter(.opening, at: 200)
        if isDamaged { story.see(Self.live(0), at: 201) } else { story.stream(201..<202) }
        story.enter(.off, at: 202)
        #expect(story.told.count == 2 && story.told.last == "201: no noPicture")
        // The last picture of the camera was good: what came after it is no condition while it is off.
        story.enter(.opening, at: 1000)
        story.enter(.off, at: 1005)
        #expect(story.told.count == 2)
    }

    @Test func `uses that were given up at once are no alarm`() {
        var story = Story([.noPicture: .seconds(60)])
        for second in stride(from: 0, to: 1000, by: 100) {
            story.enter(.opening, at: second)
            story.enter(.off, at: second + 1)
        }
        #expect(story.told.isEmpty)
    }

    @Test func `a stream that is silent while its driver hangs is an alarm`() {
        var story = Story([.noPicture: .seconds(300)])
        story.enter(.opening, at: 0)
        story.enter(.settling, at: 1)
        story.stream(1..<100)
        story.wait(until: 1000)
        #expect(story.told == ["399: noPicture since 99"])
    }

    @Test func `a camera that has failed needs another attempt for an alarm`() {
        var story = Story([.noPicture: .seconds(60)])
        story.enter(.opening, at: 0)
        story.enter(.failed, at: 1)
        story.wait(until: 900)
        // An attempt that succeeds in time.
        story.enter(.opening, at: 900)
        story.wait(until: 914)
        story.stream(914..<920)
        story.enter(.opening, at: 920)
        story.enter(.failed, at: 921)
        story.enter(.opening, at: 950)
        story.enter(.failed, at: 951)
        #expect(story.told.isEmpty)
        story.enter(.opening, at: 1000)
        story.enter(.failed, at: 1001)
        story.end(at: 1100)
        #expect(story.told == ["1001: noPicture since 919", "1100: no noPicture"])
        // And one that does not end.
        story.told = []
        story.enter(.opening, at: 2000)
        story.enter(.failed, at: 2001)
        story.enter(.opening, at: 3000)
        story.wait(until: 4000)
        #expect(story.told == ["3015: noPicture since 2000"])
    }

    @Test func `damaged pictures are none`() {
        var story = Story([.noPicture: .seconds(60), .frozen: .seconds(30)])
        story.enter(.opening, at: 0)
        story.stream(0..<10)
        story.see(Self.live(10), at: 10)
        story.stream(11..<20)
        for second in 20..<100 {
            story.see(nil, at: second)
            story.stream(second..<second + 1)
        }
        story.see(Self.live(100), at: 100)
        story.stream(100..<200)
        #expect(story.told == ["79: noPicture since 19", "100: no noPicture"])
    }

    @Test func `pictures behind a privacy shutter are not taken for damaged`() {
        var story = Story([.noPicture: .seconds(60)])
        story.enter(.opening, at: 0)
        story.stream(0..<10)
        story.see(nil, at: 10)
        story.stream(10..<20)
        story.stream(20..<200, isHidden: true)
        story.stream(200..<300)
        #expect(story.told.isEmpty)
    }

    @Test func `a stop ends every alarm, and its conditions begin anew`() {
        var story = Story([.noPicture: .seconds(60), .black: .seconds(30), .frozen: .seconds(30)])
        story.enter(.opening, at: 0)
        story.see(Self.black, at: 0)
        story.see(Self.black, at: 30)
        story.wait(until: 60)
        story.enter(.off, at: 70)
        story.end(at: 70)
        #expect(story.told == ["30: black since 0", "60: noPicture since 0", "70: no noPicture", "70: no black"])
        story.told = []
        story.see(Self.black, at: 90)
        story.see(Self.black, at: 119)
        #expect(story.told.isEmpty)
        story.see(Self.black, at: 120)
        #expect(story.told == ["120: black since 90"])
    }
}
