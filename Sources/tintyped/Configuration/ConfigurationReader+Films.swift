// SPDX-License-Identifier: Apache-2.0
internal import TintypeImaging
internal import TintypeModel
internal import TintypeSystem

/// Daily film of a camera.
struct FilmSettings: Hashable, Sendable {
    /// Time at which the film of the day before is made, in minutes since midnight.
    var minutes = 10
    var style = FilmStyle()
    var tags: [String] = []
    /// Selects among the pictures of the camera.
    var filter = FrameFilter.everything

    /// Newest day whose film is due at `moment`, counted from 1970-01-01: a whole local day.
    func day(dueAt moment: Timestamp) -> Int {
        let today = LocalTime(moment).day
        return time(on: today) <= moment ? today - 1 : today - 2
    }

    /// Time on a day from which the film of the day before is due.
    func time(on day: Int) -> Timestamp { LocalTime.moment(day: day, time: Int64(minutes) * 60_000_000) }

    func request(of camera: String, on day: Int) -> FilmRequest {
        let own = filter == .everything ? [] : [filter]
        var request = FilmRequest(.all(Self.frames(of: camera, on: day) + own))
        (request.style, request.tags) = (style, tags)
        return request
    }

    /// Conditions on the frames of one local day.
    static func frames(of camera: String, on day: Int) -> [FrameFilter] {
        let (start, end) = (LocalTime.moment(day: day, time: 0), LocalTime.moment(day: day + 1, time: 0))
        return [.is(.camera(camera)), .is(.from(start)), .is(.to(end))]
    }

    /// Id of the job of a day: the same after a restart, so that no film is made twice.
    static func job(of camera: String, on day: Int) -> String {
        let date = Timestamp(microseconds: Int64(day) * 86_400_000_000).description.prefix(10)
        return String(SHA256.text(Array("film/\(camera)/\(date)".utf8)).prefix(Job.idLength))
    }
}

extension ConfigurationReader {
    func film(at path: String) throws(Problem) -> FilmSettings? {
        guard let keys = try fields(at: path, ConfigurationKey.Film.self) else { return nil }
        var film = FilmSettings()
        _ = try keys.text(.every, "is not day.", remedy: "Give day, or leave it out.") { $0 == "day" ? true : nil }
        let timeRemedy = "Give a time of the day such as 00:10."
        film.minutes =
            try keys.text(.at, "is not a time of the day.", remedy: timeRemedy) { text in
                DayHours.minutes(of: text).flatMap { $0 < DayHours.day ? $0 : nil }
            } ?? film.minutes
        let range = FilmStyle.cutMsRange
        let gaps = Duration.milliseconds(range.lowerBound)...Duration.milliseconds(range.upperBound)
        let cut = try keys.span(.cut, in: gaps, suchAs: "1s")
        film.style = try FilmStyle(keys, .fps, .speed, .cut, cut, .deflicker)
        film.tags = try tags(keys, .tags) ?? film.tags
        if let filter = try filter(keys, .where) {
            film.filter = filter
            if filter.camera != nil {
                let detail = "A film is of its own camera, so camera: has no meaning."
                document.add(keys.path(of: .where), detail, remedy: "Leave camera: out.")
            }
        }
        return film
    }
}

extension ConfigurationKey {
    enum Film: String, CodingKey, CaseIterable { case every, at, fps, speed, cut, deflicker, tags, `where` }
}
