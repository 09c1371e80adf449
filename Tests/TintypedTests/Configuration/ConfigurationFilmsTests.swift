// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing
import TintypeImaging
import TintypeModel

@testable import tintyped

struct ConfigurationFilmsTests {
    @Test func `reads a film with defaults for missing keys`() throws {
        #expect(try configuredCamera().film == nil)
        #expect(try configuredCamera("film: {every: day}").film == FilmSettings())
        let text = """
            film: {every: day, at: 23:50, speed: 600, cut: 1.5s, deflicker: true, tags: [day, a], where: "tag:noon"}
            """
        let film = try #require(try configuredCamera(text).film)
        #expect(film.minutes == 23 * 60 + 50 && film.tags == ["day", "a"] && film.filter == .is(.tag("noon")))
        #expect(film.style.speed == 600 && film.style.fps == nil && film.style.deflicker == true)
        #expect(film.style.cutMs == Milliseconds(.milliseconds(1500)))
        #expect(try configuredCamera("film: {fps: 12.5}").film?.style.fps == 12.5)
    }

    @Test(arguments: [
        ("film: {every: week}", "film.every: \"week\" is not day."),
        ("film: {at: 24:00}", "film.at: \"24:00\" is not a time of the day."),
        ("film: {fps: 0}", "film.fps: "), ("film: {speed: fast}", "film.speed: "),
        ("film: {fps: 5, speed: 600}", "film.speed: "),
        ("film: {cut: 1s}", "film.cut: "), ("film: {speed: 600, cut: 2h}", "film.cut: "),
        ("film: {deflicker: maybe}", "film.deflicker: "), ("film: {tags: [\"a b\"]}", "film.tags: "),
        ("film: {where: \"camera:b\"}", "film.where: \"camera:b\" has camera:, and a film is of its own camera."),
        ("film: {where: \"tag;b\"}", "film.where: "),
        ("film: {ats: 00:10}", "film.ats: There is no such key."),
    ])
    func `reports a fault by its key`(_ text: String, _ says: String) {
        expectFault(cameraHead + "    \(text)\n", "", "cameras.a.\(says)")
    }

    @Test func `the job of a day has an id of its own, the same each time`() {
        let ids = ["front", "back"].flatMap { camera in
            (20_000..<20_400).map { FilmSettings.job(of: camera, on: $0) }
        }
        #expect(Set(ids).count == 800 && ids.allSatisfy { $0.utf8.count == Job.idLength })
        // printf film/front/2024-10-04 | sha256sum
        #expect(FilmSettings.job(of: "front", on: 20_000) == "40552bb4")
    }

    @Test(arguments: [
        ("America/Havana", 2026), ("America/Sao_Paulo", 2017), ("America/Sao_Paulo", 2018), ("Asia/Beirut", 2024),
        ("Australia/Lord_Howe", 2026), ("Europe/Berlin", 2026), ("UTC", 2026),
    ])
    func `each moment of a year is in one film, which is due after its day`(_ zone: String, _ year: Int) async {
        await #expect(processExitsWith: .success) { [zone, year] in
            unsafe setenv("TZ", zone, 1)
            tzset()
            let days = LocalTime(moment("\(year)-01-01 00:00")).day...LocalTime(moment("\(year)-12-31 00:00")).day
            for minutes in [0, 10, 150, 1439] {
                var film = FilmSettings()
                film.minutes = minutes
                var end: Timestamp?
                for day in days {
                    guard case .all(let filters) = film.request(of: "a", on: day).filter,
                        case .is(.from(let first)) = filters[1], case .is(.to(let last)) = filters[2]
                    else { preconditionFailure("no day") }
                    // Whole days without a gap.
                    try #require(end ?? first == first, "\(day)")
                    let isWhole = LocalTime(first).day == day && LocalTime(last - .microseconds(1)).day == day
                    try #require(isWhole, "\(day)")
                    end = last
                    let due = film.time(on: day + 1)
                    try #require(due >= last && film.day(dueAt: due) == day, "\(day) at \(minutes)")
                    try #require(film.day(dueAt: due - .milliseconds(1)) == day - 1, "\(day) at \(minutes)")
                }
            }
        }
    }
}
