// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

@testable import tintyped

struct LastingEventsTests {
    /// Events that must last for five minutes, and those that were passed on, with the second.
    private struct Story {
        private static let start = MonotonicTime(nanoseconds: 10_000_000_000)

        private var events = LastingEvents(.seconds(300))
        private(set) var told: [String] = []

        private static func moment(_ second: Int) -> MonotonicTime { start + .seconds(second) }

        mutating func wait(until second: Int) {
            while let next = events.next, next <= Self.moment(second) {
                tell(events.due(by: next), at: Int((next - Self.start).components.seconds))
            }
        }

        /// `isLate`: the event is read only now, and the time was not looked at before.
        mutating func add(_ event: Event, at second: Int, isLate: Bool = false) {
            if !isLate { wait(until: second) }
            tell(events.add(EventJournal.Entry(event: event, moment: Self.moment(second))), at: second)
        }

        var waits: [Int] {
            events.waits(of: Event.Kind.allCases).map { Int(($0 - Self.start).components.seconds) }.sorted()
        }

        private mutating func tell(_ entries: [EventJournal.Entry], at second: Int) {
            told += entries.map { "\(second): \($0.event.kind.rawValue) \($0.event.detail)" }
        }
    }

    private static func degraded(_ detail: String, _ codes: HealthReason.Code...) -> Event {
        var event = Event(.degraded, detail)
        event.reasons = codes.map { HealthReason($0, "\(detail) It is so.", remedy: "Change it.") }
        return event
    }

    private static func lost(_ detail: String) -> Event { Event(.cameraLost, camera: "yard", detail) }
    private static func back(_ detail: String) -> Event { Event(.cameraBack, camera: "yard", detail) }

    private static func failed() -> SessionState {
        .failed(reason: Problem(.deviceLost, "It is gone.", remedy: "Plug it in."))
    }

    private static func alarm(_ kind: Event.Kind, _ alarm: CameraAlarm, of camera: String = "yard") -> Event {
        var event = Event(kind, camera: camera, "\(camera) \(alarm.rawValue)")
        event.alarm = alarm
        return event
    }

    @Test(
        arguments: [(.cameraLost, .cameraBack), (.motionBegan, .motionEnded), (.degraded, .healthy)]
            as [(Event.Kind, Event.Kind)]
    )
    func `five short conditions pass nothing, a long one its start and its end`(_ begin: Event.Kind, _ end: Event.Kind)
    {
        var story = Story()
        for second in stride(from: 0, to: 50, by: 10) {
            story.add(Event(begin, "short"), at: second)
            #expect(story.waits == [second])
            story.add(Event(end, "short"), at: second + 1)
            #expect(story.waits.isEmpty)
        }
        story.add(Event(begin, "long"), at: 100)
        story.add(Event(end, "long"), at: 1000)
        story.wait(until: 5000)
        #expect(story.told == ["400: \(begin.rawValue) long", "1000: \(end.rawValue) long"])
    }

    @Test func `cameras and alarms are conditions of their own`() {
        var story = Story()
        story.add(Event(.cameraLost, camera: "yard", "yard"), at: 0)
        story.add(Event(.cameraLost, camera: "door", "door"), at: 10)
        story.add(Self.alarm(.alarmBegan, .frozen), at: 20)
        story.add(Self.alarm(.alarmBegan, .black), at: 30)
        story.add(Event(.cameraBack, camera: "yard", "yard"), at: 100)
        story.add(Self.alarm(.alarmEnded, .frozen), at: 110)
        story.add(Self.alarm(.alarmEnded, .frozen, of: "door"), at: 120)
        story.add(Self.alarm(.alarmEnded, .black), at: 500)
        story.wait(until: 1000)
        #expect(
            story.told == [
                "310: camera-lost door", "330: alarm-began yard black", "500: alarm-ended yard black",
            ]
        )
    }

    @Test func `events that begin and end nothing pass at once, and an end without a start does not`() {
        var story = Story()
        story.add(Event(.frameStored, "a"), at: 0)
        story.add(Event(.cameraBack, camera: "yard", "b"), at: 1)
        story.add(Event(.spoolLow, "c"), at: 2)
        #expect(story.told == ["0: frame-stored a", "2: spool-low c"])
    }

    @Test func `a short change of the reasons passes nothing, a lasting one the newest`() {
        var story = Story()
        story.add(Self.degraded("low", .spoolLow), at: 0)
        story.add(Self.degraded("low and absent", .spoolLow, .cameraAbsent), at: 100)
        story.wait(until: 400)
        // The camera is back for a while, and lost for a second.
        story.add(Self.degraded("low again", .spoolLow), at: 1000)
        story.add(Self.degraded("low and absent again", .cameraAbsent, .spoolLow), at: 1001)
        story.wait(until: 2000)
        story.add(Self.degraded("low at last", .spoolLow), at: 2000)
        story.add(Event(.healthy, "well"), at: 3000)
        #expect(
            story.told == [
                "300: degraded low and absent", "2300: degraded low at last", "3000: healthy well",
            ]
        )
    }

    @Test func `an end that is read late has its start before it, if that has lasted`() {
        var story = Story()
        story.add(Event(.cameraLost, camera: "yard", "a"), at: 0)
        story.add(Event(.cameraBack, camera: "yard", "a"), at: 299, isLate: true)
        story.add(Event(.cameraLost, camera: "yard", "b"), at: 1000)
        story.add(Event(.cameraBack, camera: "yard", "b"), at: 1300, isLate: true)
        #expect(story.told == ["1300: camera-lost b", "1300: camera-back b"])
    }

    @Test func `a stop that is read late has the loss before it, if that has lasted`() {
        var story = Story()
        story.add(Self.lost("a"), at: 0)
        story.add(.state(.off, of: "yard"), at: 299, isLate: true)
        story.add(Self.lost("b"), at: 1000)
        story.add(.state(.off, of: "yard"), at: 1300, isLate: true)
        #expect(story.told.filter { !$0.contains("camera-state") } == ["1300: camera-lost b"])
    }

    @Test func `after missing events a loss that was passed on has its end, and others begin anew`() {
        var story = Story()
        story.add(Self.lost("a"), at: 0)
        story.wait(until: 300)
        story.add(Self.degraded("low", .spoolLow), at: 305)
        story.add(.gap(3, after: 7), at: 310)
        #expect(story.waits.isEmpty)
        story.add(Self.back("a"), at: 320)
        story.add(Event(.healthy, "well"), at: 330)
        story.add(Self.lost("b"), at: 340)
        story.wait(until: 1000)
        #expect(
            story.told.map { $0.prefix(17) } == [
                "300: camera-lost ", "310: gap 3 events", "320: camera-back ", "640: camera-lost ",
            ]
        )
    }

    @Test func `a lost camera that is stopped waits anew once it fails again`() {
        var story = Story()
        story.add(Self.lost("a"), at: 0)
        story.add(.state(.off, of: "yard"), at: 60)
        story.add(.state(.off, of: "door"), at: 61)
        story.wait(until: 1000)
        #expect(story.waits.isEmpty)
        story.add(.state(Self.failed(), of: "yard"), at: 1000)
        story.add(.state(Self.failed(), of: "yard"), at: 1100)
        story.add(Self.back("a"), at: 1400)
        #expect(story.told.filter { !$0.contains("camera-state") } == ["1300: camera-lost a", "1400: camera-back a"])
    }

    @Test func `a camera that is configured anew is not lost, and its next loss is passed on`() {
        var story = Story()
        story.add(Self.lost("a"), at: 0)
        story.add(.state(.off, of: "yard"), at: 400)
        // Another session, which has not reported a loss.
        story.add(.state(.opening, of: "yard"), at: 401)
        story.add(.state(Self.failed(), of: "yard"), at: 1000)
        story.add(Self.lost("short"), at: 1000)
        story.add(Self.back("short"), at: 1001)
        story.add(Self.lost("long"), at: 2000)
        story.add(Self.back("long"), at: 3000)
        #expect(
            story.told.filter { !$0.contains("camera-state") } == [
                "300: camera-lost a", "2300: camera-lost long", "3000: camera-back long",
            ]
        )
    }
}
