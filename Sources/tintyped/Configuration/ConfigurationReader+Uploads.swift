// SPDX-License-Identifier: Apache-2.0
internal import TintypeImaging
internal import TintypeModel
internal import TintypeSpool
internal import TintypeSystem

struct UploadSettings: Hashable, Sendable {
    var name: String
    var options: UploadOptions
    var filter = FrameFilter.everything
    /// Nil for all spools.
    var spool: String?
    /// Nil for all of the day.
    var hours: DayHours?
    var priority = 0
    var deletes = false

    /// The hours in which `moment` is, else the next ones; nil for a rule without hours.
    func hours(at moment: Timestamp) -> (first: Timestamp, end: Timestamp)? {
        guard let hours else { return nil }
        return SlotTimes(every: .seconds(1), hours: hours).run(from: moment)
    }
}

struct JobSettings: Hashable, Sendable {
    /// Number of batches that the worker has at a time.
    var atOnce = 3
    /// Age of a waiting picture from which its rule is behind.
    var behind = Duration.seconds(3600)
}

extension ConfigurationReader {
    private typealias UploadFields = FieldReader<ConfigurationKey.Upload>

    func uploads() throws(Problem) -> [UploadSettings] {
        let example = "cloud: {to: \"s3:bucket/{camera}/{path}\"}"
        return try named(at: "uploads", "is no name for an upload.", suchAs: example, upload)
    }

    private func upload(at path: String, _ entry: ConfigurationDocument.Entry) throws(Problem) -> UploadSettings? {
        guard let keys = try fields(at: path, ConfigurationKey.Upload.self) else { return nil }
        require(.to, in: keys, remedy: UploadTarget.remedy, place: entry.keyPlace)
        let target = try target(keys)
        var options = UploadOptions(to: target?.description ?? "")
        options.order = try keys.word(.order, FrameOrder.self) ?? options.order
        let limit = "a number for each second from 1k to 1T, such as 500k"
        options.limit = try keys.bytes(.limit, in: UploadOptions.limitRange, give: limit)
        options.method = try keys.word(.method, UploadOptions.Method.self)
        options.headers = try headers(keys)
        options.record = try keys.flag(.record).flatMap { $0 ? true : nil }
        for key in [ConfigurationKey.Upload.method, .headers] where keys[key] != nil && target?.means == .rclone {
            document.add(keys.path(of: key), "It is for targets of http and https only.", remedy: "Leave it out.")
        }
        if options.record == true, target?.means == .http {
            document.add(keys.path(of: .record), "It is not for targets of http and https.", remedy: "Leave it out.")
        }
        var upload = UploadSettings(name: entry.name, options: options)
        upload.filter = try filter(keys) ?? upload.filter
        upload.spool = try spoolName(keys, .spool)
        upload.hours = try keys.hours(.between)
        upload.priority = try keys.integer(.priority, in: Job.priorityRange) ?? upload.priority
        upload.deletes = try keys.flag(.deleteAfterUpload) ?? upload.deletes
        return target == nil ? nil : upload
    }

    private func target(_ keys: UploadFields) throws(Problem) -> UploadTarget? {
        guard let text = try keys.freeText(.to, "is no text.", remedy: UploadTarget.remedy, where: { _ in true }) else {
            return nil
        }
        do throws(UploadTarget.Fault) {
            return try UploadTarget(text)
        } catch {
            document.add(keys.path(of: .to), "The target \(error.detail)", remedy: error.remedy)
            return nil
        }
    }

    private func filter(_ keys: UploadFields) throws(Problem) -> FrameFilter? {
        guard let filter = try filter(keys, .where) else { return nil }
        if filter == filter.resolved(at: Timestamp(microseconds: 0)) { return filter }
        let wrong = "has since:, which means nothing for pictures that are matched when they are stored."
        try keys.refuse(.where, wrong, remedy: "Leave since: out.")
        return nil
    }

    /// Header fields of HTTP (RFC 9110, 5.5), without those that curl sets.
    private func headers(_ keys: UploadFields) throws(Problem) -> [String: String]? {
        guard keys[.headers] != nil else { return nil }
        let remedy = "Give names and values, such as {Authorization: \"Bearer TOKEN\"}."
        var headers: [String: String] = [:]
        for (path, entry) in entries(at: keys.path(of: .headers), remedy: remedy) {
            let value = String(field: entry.value, at: path)
            let isName = entry.name.wholeMatch(of: /[A-Za-z0-9!#$%&'*+.^_`|~-]{1,256}/) != nil
            let isOwn = ["content-length", "host", "transfer-encoding"].contains(entry.name.lowercased())
            guard isName, !isOwn, let value, value.wholeMatch(of: /[\x20-\x7E]{0,4096}/) != nil else {
                let detail = "This is no header field, or one that is set anyway."
                document.add(path, detail, remedy: remedy, place: entry.keyPlace, quotesName: false)
                continue
            }
            headers[entry.name] = value
        }
        return headers
    }

    func jobs() throws(Problem) -> JobSettings? {
        try section(at: "jobs", ConfigurationKey.Jobs.self, JobSettings()) { (keys, jobs) throws(Problem) in
            jobs.atOnce = try keys.integer(.atOnce, in: 1...16) ?? jobs.atOnce
            let range = Duration.seconds(60) ... .seconds(366 * 86_400)
            jobs.behind = try keys.span(.behind, in: range, suchAs: "1h") ?? jobs.behind
        }
    }
}

struct FilmSettings: Hashable, Sendable {
    /// Time at which the film of the day before is made, in minutes since midnight.
    var minutes = 10
    var style = FilmStyle()
    var tags: [String] = []
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
        return Job.id(of: "film/\(camera)/\(date)")
    }
}

extension ConfigurationReader {
    func film(at path: String) throws(Problem) -> FilmSettings? {
        try section(at: path, ConfigurationKey.Film.self, FilmSettings()) { (keys, film) throws(Problem) in
            _ = try keys.isGiven(.every, as: "day")
            film.minutes = try keys.timeOfDay(.at) ?? film.minutes
            let range = FilmStyle.cutMsRange
            let gaps = Duration.milliseconds(range.lowerBound) ... .milliseconds(range.upperBound)
            let cut = try keys.span(.cut, in: gaps, suchAs: "1s")
            film.style = try FilmStyle(keys, .fps, .speed, .cut, cut, .deflicker)
            film.tags = try keys.tags(.tags) ?? film.tags
            film.filter = try filter(keys, .where) ?? film.filter
            if film.filter.camera != nil {
                try keys.refuse(.where, "has camera:, and a film is of its own camera.", remedy: "Leave camera: out.")
            }
        }
    }
}
