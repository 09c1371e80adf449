// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel
import TintypeSpool

@testable import tintyped

struct ConfigurationUploadsTests {
    @Test func `reads uploads with defaults for missing keys`() throws {
        let text = """
            uploads:
              cloud: {to: "s3:bucket/{camera}/{path}", record: true}
              prints:
                to: "https://key@h.example/up/{id}.jpg?key=k"
                where: "camera:yard, not tag:private"
                spool: usb
                order: newest
                limit: 2M
                between: 22:00-05:00
                method: POST
                headers: {Authorization: "Bearer x y", X-Number: 7}
                priority: -3
                deleteAfterUpload: true
            spools: {usb: {folder: /mnt/usb}}
            jobs: {atOnce: 16, behind: 2d}
            """
        let configuration = try ConfigurationReader.read(text, file: "a")
        var cloud = UploadSettings(name: "cloud", options: UploadOptions(to: "s3:bucket/{camera}/{path}"))
        cloud.options.record = true
        #expect(configuration.uploads.first == cloud && cloud.options.publicTarget == "s3:bucket/{camera}/{path}")
        #expect(cloud.filter == .everything && cloud.hours == nil && !cloud.deletes)
        var options = UploadOptions(to: "https://key@h.example/up/{id}.jpg?key=k")
        (options.order, options.limit, options.method) = (.newest, 2 << 20, .post)
        options.headers = ["Authorization": "Bearer x y", "X-Number": "7"]
        var prints = UploadSettings(name: "prints", options: options)
        prints.filter = .all([.is(.camera("yard")), .not(.is(.tag("private")))])
        (prints.spool, prints.hours, prints.priority, prints.deletes) = ("usb", DayHours("22:00-05:00"), -3, true)
        #expect(configuration.uploads.last == prints && prints.options.publicTarget == "https://h.example")
        #expect(configuration.jobs == JobSettings(atOnce: 16, behind: .seconds(2 * 86_400)))
        let spools = try configuration.spoolConfigurations()
        #expect(spools.map { $0.uploads.map(\.name) } == [["cloud"], ["cloud", "prints"]])
        #expect(spools[1].uploads.last?.target == "https://h.example")
    }

    @Test(arguments: [
        ("a: {where: \"tag:b\"}", "a:2:3: uploads.a: The key to is missing."),
        (
            "a: {to: \"s3:b/{camera}.jpg\"}",
            "uploads.a.to: The target gives several pictures one name. Add {id}, or {camera} and {path}"
        ),
        ("a: {to: \"s3:b/{frame}\"}", "uploads.a.to: The target has an unknown field in braces. Use some of {camera}"),
        ("a: {to: \"ftp\"}", "a:2:11: uploads.a.to: The target is no target of an upload."),
        ("a: {to: 7}", "uploads.a.to: "),
        (
            "a: {to: \"s3:{id}\", where: \"since:1h\"}",
            "uploads.a.where: The value has since:"
        ),
        ("a: {to: \"s3:{id}\", where: \"not any(tag:b, since:1h)\"}", "uploads.a.where: The value has since:"),
        ("a: {to: \"s3:{id}\", where: \"tag;b\"}", "uploads.a.where: The value is not a filter."),
        (
            "a: {to: \"s3:{id}\", spool: usb}",
            "uploads.a.spool: The value is not the name of a spool. Use one of: default."
        ),
        ("a: {to: \"s3:{id}\", limit: 10}", "Give a number for each second from 1k to 1T"),
        ("a: {to: \"s3:{id}\", limit: fast}", "uploads.a.limit: "),
        ("a: {to: \"s3:{id}\", between: 05:00}", "uploads.a.between: The value is not a part of the day."),
        ("a: {to: \"s3:{id}\", method: PUT}", "uploads.a.method: It is for targets of http and https only."),
        ("a: {to: \"http://h/{id}\", record: true}", "uploads.a.record: It is not for targets of http and https."),
        ("a: {to: \"s3:{id}\", headers: {A: b}}", "uploads.a.headers: It is for targets of http and https only."),
        ("a: {to: \"http://b\", method: GET}", "uploads.a.method: The value is not one of PUT, POST."),
        (
            "a: {to: \"http://b\", headers: {\"A b\": c}}",
            "uploads: This is no header field, or one that is set anyway."
        ),
        ("a: {to: \"http://b\", headers: {Host: c}}", "uploads: This is no header field"),
        ("a: {to: \"http://b\", headers: {A: \"b\\nc\"}}", "uploads: This is no header field"),
        ("a: {to: \"s3:{id}\", priority: 101}", "uploads.a.priority: "),
        ("a: {to: \"s3:{id}\", deleteAfterUpload: maybe}", "uploads.a.deleteAfterUpload: "),
        ("a: {to: \"s3:{id}\", ordr: oldest}", "uploads.a.ordr: There is no such key. Did you mean order?"),
        ("\"A b\": {to: \"s3:{id}\"}", "uploads: A key is no name for an upload."),
        ("[a]", "uploads: "),
    ])
    func `reports a faulty upload by its key`(text: String, words: String) {
        let error = #expect(throws: ConfigurationError.self) {
            try ConfigurationReader.read("uploads:\n  \(text)\n", file: "a")
        }
        #expect(error?.faults.count == 1 && error?.description.contains(words) == true, "\(error?.description ?? "")")
    }

    @Test(arguments: [
        ("jobs: {atOnce: 0}", "1:16", "jobs.atOnce: "), ("jobs: {atOnce: 17}", "1:16", "jobs.atOnce: "),
        ("jobs: {behind: 30s}", "1:16", "jobs.behind: "),
        ("spool: {retention: {keepUntil: stored}}", "1:32", "keepUntil: \"stored\" is not uploaded."),
        ("cameras: {a: {device: /dev/video0, retention: {keepUntil: uploaded}}}", "1:48", "There is no such key."),
    ])
    func `reports a faulty key of jobs and retention`(text: String, place: String, words: String) {
        expectFault(text, place, words)
    }

    @Test func `keepUntil is for a spool`() throws {
        let text = "spool: {retention: {keepUntil: uploaded, maxAge: 1d}}"
        #expect(try ConfigurationReader.read(text, file: "a").spool.retention.keepsUntilUploaded)
        let usual = try ConfigurationReader.read("spool: {retention: {maxAge: 1d}}", file: "a")
        #expect(!usual.spool.retention.keepsUntilUploaded)
    }

    @Test func `a rule of access may grant the right to work`() throws {
        let text = "access: [{user: uploader, work: true}, {group: staff, role: view}]"
        let rules = try #require(try ConfigurationReader.read(text, file: "a").access)
        #expect(rules.map(\.description) == ["user uploader: work", "group staff: role view"])
    }
}
