// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel
internal import TintypeSpool

struct UploadSettings: Hashable, Sendable {
    /// See ``CameraName/isValid(_:)``.
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
        let remedy = "Give each upload a name, with its keys below, such as cloud: {to: \"s3:bucket/{camera}/{path}\"}."
        return try named(at: "uploads", remedy: remedy, "is no name for an upload.")
            .map { (path, entry) throws(Problem) in try upload(entry, at: path) }.compactMap(\.self)
    }

    private func upload(_ entry: ConfigurationDocument.Entry, at path: String) throws(Problem) -> UploadSettings? {
        guard let keys = try fields(at: path, ConfigurationKey.Upload.self) else { return nil }
        if keys[.to] == nil {
            document.add(path, "The key to is missing.", remedy: UploadTarget.remedy, place: entry.keyPlace)
        }
        let target = try target(keys)
        var options = UploadOptions(to: target?.description ?? "")
        options.order = try keys.word(.order, FrameOrder.self) ?? options.order
        options.limit = try limit(keys)
        options.method = try keys.word(.method, UploadOptions.Method.self)
        options.headers = try headers(keys)
        options.record = try keys.isTrue(.record).flatMap { $0 ? true : nil }
        for key in [ConfigurationKey.Upload.method, .headers] where keys[key] != nil && target?.means == .rclone {
            document.add(keys.path(of: key), "It is for targets of http and https only.", remedy: "Leave it out.")
        }
        var upload = UploadSettings(name: entry.name, options: options)
        upload.filter = try filter(keys) ?? upload.filter
        upload.spool = try spool(keys)
        let hoursRemedy = "Give its start and its end, such as 01:00-06:00."
        upload.hours = try keys.text(.between, "is not a part of the day.", remedy: hoursRemedy) { DayHours($0) }
        upload.priority = try keys.integer(.priority, in: Job.priorityRange) ?? upload.priority
        upload.deletes = try keys.isTrue(.deleteAfterUpload) ?? upload.deletes
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
        guard filter == filter.resolved(at: Timestamp(microseconds: 0)) else {
            let detail = "A rule matches pictures when they are stored, so since: has no meaning."
            document.add(keys.path(of: .where), detail, remedy: "Leave since: out.")
            return nil
        }
        return filter
    }

    private func limit(_ keys: UploadFields) throws(Problem) -> Int? {
        guard let limit = try keys.bytes(.limit) else { return nil }
        guard UploadOptions.limitRange.contains(limit) else {
            try keys.refuse(.limit, "is out of range.", remedy: "Give a number of bytes per second from 1k to 1T.")
            return nil
        }
        return limit
    }

    private func spool(_ keys: UploadFields) throws(Problem) -> String? {
        let usual = SpoolStore.Configuration.defaultName
        let all = document["spools"]?.names ?? []
        let remedy = "Use one of: \(([usual] + all).joined(separator: ", "))."
        return try keys.text(.spool, "is not the name of a spool.", remedy: remedy) { name in
            name == usual || all.contains(name) ? name : nil
        }
    }

    /// Header fields of HTTP (RFC 9110, 5.5), without those that curl sets.
    private func headers(_ keys: UploadFields) throws(Problem) -> [String: String]? {
        guard keys[.headers] != nil else { return nil }
        let path = keys.path(of: .headers)
        let remedy = "Give names and values, such as {Authorization: \"Bearer TOKEN\"}."
        var headers: [String: String] = [:]
        for (path, entry) in entries(at: path, remedy: remedy) {
            let value: String? =
                switch entry.value {
                case .text(let text), .plain(let text): text
                default: nil
                }
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

    func jobs() throws(Problem) -> JobSettings {
        var settings = JobSettings()
        guard let keys = try fields(at: "jobs", ConfigurationKey.Jobs.self) else { return settings }
        settings.atOnce = try keys.integer(.atOnce, in: 1...16) ?? settings.atOnce
        let range = Duration.seconds(60)...Duration.seconds(366 * 86_400)
        settings.behind = try keys.span(.behind, in: range, suchAs: "1h") ?? settings.behind
        return settings
    }
}

extension ConfigurationKey {
    enum Upload: String, CodingKey, CaseIterable {
        case to, `where`, spool, order, limit, between, method, headers, record, priority, deleteAfterUpload
    }
    enum Jobs: String, CodingKey, CaseIterable { case atOnce, behind }
}
