// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

@testable import tintyped

struct ConfigurationPublishingTests {
    private func schedules(_ text: String) throws -> [PublishSchedule] {
        try configuredCamera("publish: \(text)").publish
    }

    @Test func `reads every key of a schedule`() throws {
        let all = try schedules(
            """

                  - every: 15m
                    align: 00:05
                    between: 22:00-05:30
                    days: [mon-wed, sat]
                    settle: always
                    integrity: tolerant
                    reject: [black, frozen]
                    width: 640
                    durability: data
                    tags: [lapse, night]
                  - {nth: 30, days: sun, tags: motion}
                  - {all, between: 06:00-20:00}
                  - {all: true}
                  - {every: 1d, align: 12:00}
                  - {every: 60s, align: clock}
                  - {every: 36h, align: start}
            """
        )
        var first = PublishSchedule(rate: .every(.seconds(900), .clock(minutes: 5)))
        first.hours = DayHours("22:00-05:30")
        first.days = [.monday, .tuesday, .wednesday, .saturday]
        first.settle = .always
        first.integrity = .tolerant
        first.reject = [.black, .frozen]
        first.width = 640
        first.durability = .data
        first.tags = ["lapse", "night"]
        #expect(all.first == first)
        var second = PublishSchedule(rate: .nth(30))
        (second.days, second.tags) = ([.sunday], ["motion"])
        var third = PublishSchedule(rate: .nth(1))
        third.hours = DayHours("06:00-20:00")
        #expect(Array(all.dropFirst().prefix(3)) == [second, third, PublishSchedule(rate: .nth(1))])
        let rates: [PublishSchedule.Rate] = [
            .every(.seconds(86_400), .clock(minutes: 720)), .every(.seconds(60), .clock(minutes: 0)),
            .every(.seconds(36 * 3600), .start),
        ]
        #expect(all.suffix(3).map(\.rate) == rates)
        let texts = [
            "every 15m, align 00:05, between 22:00-05:30, days mon tue wed sat, width 640, tags lapse night",
            "nth 30, days sun, tags motion", "all, between 06:00-20:00", "all", "every 1d, align 12:00",
            "every 1m, align clock", "every 36h",
        ]
        #expect(all.map(\.description) == texts)
    }

    @Test func `converts a schedule to a still request`() throws {
        var schedule = PublishSchedule(rate: .nth(1))
        (schedule.settle, schedule.integrity, schedule.width) = (.always, .tolerant, 640)
        (schedule.reject, schedule.durability, schedule.tags) = ([.black, .frozen], .none, ["a"])
        let request = StillRequest(
            fresh: .request,
            deadline: .seconds(2),
            settle: .always,
            integrity: .tolerant,
            reject: [.black, .frozen],
            rendering: ImageOptions(width: 640),
            keep: true,
            durability: .none,
            tags: ["a"]
        )
        #expect(schedule.request(within: .seconds(2)) == request)
        #expect(schedule.longestDeadline == .seconds(15))
        #expect(PublishSchedule(rate: .nth(1)).request(within: .seconds(5)) == StillRequest())
    }

    @Test func `latest defaults to one picture a second that is not stored`() throws {
        for text in ["{}", "{every: 1s}"] {
            #expect(try configuredCamera("latest: \(text)").latest == LatestSettings(every: .seconds(1)))
        }
        let settings = LatestSettings(every: .seconds(5), width: 320, quality: 60)
        #expect("\(settings)" == "latest every 5s, width 320, quality 60")
        let request = settings.request(within: .seconds(1))
        #expect(!request.keep && request.rendering == ImageOptions(quality: 60, width: 320))
        #expect(request.fresh == .request && request.deadline == .seconds(1))
    }

    @Test(arguments: ["100ms", "366d"]) func `accepts the limits of every`(_ every: String) throws {
        #expect(try schedules("{every: \(every)}").count == 1)
        #expect(try configuredCamera("latest: {every: \(every)}").latest != nil)
    }

    @Test(arguments: [
        ("60s", "4:14", "cameras.a.publish: The value is the text \"60s\"."),
        ("{}", "4:14", "cameras.a.publish: The schedule has neither every nor nth nor all. Give one of them, such as"),
        ("[]", "4:14", "cameras.a.publish: The list is empty."),
        ("[{every: 1s}, {nth: 0}]", "4:34", "cameras.a.publish[1].nth: \"0\" is not a whole number"),
        ("[60s]", "4:15", "cameras.a.publish[0]: The value is the text \"60s\"."),
        ("{evry: 60s, every: 1s}", "4:15", "cameras.a.publish.evry: There is no such key. Did you mean every?"),
        ("{every: 60}", "4:22", "cameras.a.publish.every: \"60\" is no time from 100ms to 366d."),
        ("{every: 99ms}", "4:22", "\"99ms\" is no time from 100ms to 366d. Give one such as 60s."),
        ("{every: 367d}", "4:22", "\"367d\" is no time from 100ms"),
        (
            "{every: 1s, nth: 2}", "4:31",
            "cameras.a.publish.nth: It cannot be combined with every. Keep one of them; for several schedules give a list"
        ),
        ("{nth: 2, all}", "4:26", "cameras.a.publish.all: It cannot be combined with nth."),
        ("{nth: 0}", "4:20", "cameras.a.publish.nth: \"0\" is not a whole number from 1 to 1000000."),
        ("{all: no}", "4:20", "cameras.a.publish.all: \"no\" is not true. Give true, or leave it out."),
        ("{all, align: clock}", "4:27", "cameras.a.publish.align: Without every there is nothing to align."),
        ("{every: 1s, align: hour}", "4:33", "\"hour\" is not an alignment. Give start, clock, or a time of the day"),
        ("{every: 1s, align: 24:00}", "4:33", "\"24:00\" is not an alignment."),
        ("{every: 36h, align: clock}", "4:34", "Slots 36h apart fall at other times on each day. Let every"),
        ("{every: 1s, between: 06:00}", "4:35", "\"06:00\" is not a part of the day. Give its start and its end"),
        ("{every: 1s, between: 06:00-06:00}", "4:35", "\"06:00-06:00\" is not a part of the day."),
        (
            "{every: 1d, align: clock, between: 06:00-20:00}", "4:49",
            "cameras.a.publish.between: No slot of every 1d, align clock, between 06:00-20:00 falls into it. Give a time"
        ),
        ("{every: 14d, align: clock, days: tue}", "4:47", "cameras.a.publish.days: No slot of every 14d, align clock"),
        ("{every: 1s, days: today}", "4:32", "cameras.a.publish.days: \"today\" is not a list of days. Give days such"),
        ("{every: 1s, days: [mon, 3]}", "4:32", "\"mon, 3\" is not a list of days."),
        ("{every: 1s, days: Wednesday}", "4:32", "\"Wednesday\" is not a list of days. Did you mean wed?"),
        ("{every: 1s, days: [sat, mo]}", "4:32", "\"sat, mo\" is not a list of days. Did you mean mon?"),
        ("{every: 1s, days: mon-Thurs}", "4:32", "Did you mean thu?"),
        ("{every: 1s, days: wensday}", "4:32", "Did you mean wed?"),
        ("{every: 1s, days: weekdays}", "4:32", "is not a list of days. Give days such as"),
        ("{every: 1s, days: []}", "4:32", "\"\" is not a list of days."),
        ("{every: 1s, days: {}}", "4:32", "The value is a mapping and not a word or a list of them."),
        ("{every: 1s, settle: maybe}", "4:34", "\"maybe\" is not one of auto, always, never. Give one of them."),
        ("{every: 1s, settle: allways}", "4:34", "is not one of auto, always, never. Did you mean always?"),
        ("{every: 1s, when: Motion}", "4:32", "\"Motion\" is not one of always, motion. Did you mean motion?"),
        ("{every: 1s, reject: [black, forzen]}", "4:34", "words of black, uniform, frozen. Did you mean frozen?"),
        ("{every: 1s, reject: dark}", "4:34", "\"dark\" is not a list of different words of black, uniform, frozen."),
        ("{every: 1s, reject: black, integrity: raw}", "4:34", "It cannot be combined with integrity raw"),
        ("{every: 1s, integrity: yes}", "4:37", "\"yes\" is not one of strict, tolerant, raw."),
        ("{every: 1s, durability: 1}", "4:38", "\"1\" is not one of none, data, full."),
        ("{every: 1s, width: 0}", "4:33", "cameras.a.publish.width: \"0\" is not a whole number from 1 to 65500."),
        ("{every: 1s, tags: [a, a]}", "4:32", "\"a, a\" is not a list of at most 16 different tags. A tag is 1 to 64"),
        ("{every: 1s, tags: []}", "4:32", "\"\" is not a list of at most 16 different tags."),
        ("{every: 1s, tags: \"a b\"}", "4:32", "\"a b\" is not a list of at most 16 different tags."),
    ])
    func `reports a faulty schedule by place and key`(_ text: String, _ place: String, _ says: String) {
        expectFault(cameraHead + "    publish: \(text)", "\(place): ", says)
    }

    @Test(arguments: [
        ("1s", "4:13", "cameras.a.latest: The value is the text \"1s\"."),
        ("{every: 50ms}", "4:21", "cameras.a.latest.every: \"50ms\" is no time from 100ms to 366d."),
        ("{width: 65501}", "4:21", "cameras.a.latest.width: \"65501\" is not a whole number from 1 to 65500."),
        ("{quality: 0}", "4:23", "cameras.a.latest.quality: \"0\" is not a whole number from 1 to 100."),
        ("{rate: 1}", "4:14", "cameras.a.latest.rate: There is no such key."),
    ])
    func `reports a faulty latest by place and key`(_ text: String, _ place: String, _ says: String) {
        expectFault(cameraHead + "    latest: \(text)", "\(place): ", says)
    }
}
