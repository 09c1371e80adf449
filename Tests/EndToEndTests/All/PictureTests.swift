// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TestSupport
internal import Testing
internal import TintypeClient
internal import TintypeDevice
internal import TintypeModel
internal import TintypePattern

extension Processes {
    /// `still.jpg` and the files that the command line makes of it.
    @Suite struct PictureTests {
        private static let path = "/v1/cameras/pattern/still.jpg"

        /// What a reply says of its picture.
        private func record(_ reply: ControlResponse) throws -> StillRecord {
            try #require(StillRecord(bytes: reply.body.count) { reply.header($0) })
        }

        @Test func `whoever holds the newest picture is not sent it again`() async throws {
            // A frame every ten seconds: the newest is the same for the whole of the test.
            try await Site.serving("YUYV:320x240@0.1") { site, _ in
                let latest: [(name: String, value: String)] = [
                    ("maxAgeMs", "60000"), ("deadlineMs", "30000"), ("settle", "never"),
                ]
                try await site.client.withConnection { connection in
                    func get(_ method: String, _ more: String, _ tag: String?) async throws -> ControlResponse {
                        let query = latest + (more.isEmpty ? [] : [("quality", more)])
                        let headers = tag.map { ["If-None-Match": $0] } ?? [:]
                        return try await connection.send(
                            ControlRequest(method, Self.path, query: query, headers: headers, deadline: .seconds(40))
                        )
                    }
                    let first = try await get("GET", "", nil)
                    #expect(first.status == 200 && !first.body.isEmpty)
                    let tag = try #require(first.header("ETag"))
                    // The time of capture to the second, as date(1) reads it (RFC 9110, 5.6.7).
                    let modified = try #require(first.header("Last-Modified"))
                    #expect(modified.hasSuffix(" GMT"))
                    let date = try await site.shell("date --date '\(modified)' +%s").text
                    let moment = try #require(Int64(date.trimmingCharacters(in: .newlines)))
                    #expect(moment == (try record(first).capturedAt.microseconds) / 1_000_000)
                    #expect(tag == "\"\(try record(first).id)\"")
                    let again = try await get("GET", "", "\"x\", W/\(tag)")
                    #expect(again.status == 304 && again.body.isEmpty && again.header("ETag") == tag)
                    #expect(try record(again).sequence == record(first).sequence)
                    #expect(again.header("Last-Modified") == modified)
                    // It is the time of the capture, not of the reply.
                    try await eventually("the second of the capture is over") {
                        Timestamp.now().microseconds / 1_000_000 > moment
                    }
                    let head = try await get("HEAD", "", nil)
                    #expect(head.header("Last-Modified") == modified)
                    #expect(head.status == 200 && head.body.isEmpty && head.header("ETag") == tag)
                    #expect(head.header("Content-Length") == "\(first.body.count)")
                    // Another rendering of the same frame is another picture.
                    let other = try await get("GET", "20", tag)
                    #expect(other.status == 200 && other.body.count < first.body.count)
                    #expect(try record(other).sequence == record(first).sequence)
                }
            }
        }

        @Test func `HEAD stores nothing: whoever wants that by it is refused before the camera is opened`() async throws
        {
            try await Site.serving("MJPG:320x240@30") { site, _ in
                let curl = "curl -s -o body -w '%{http_code}' --unix-socket sock "
                let url = "'http://localhost\(Self.path)?keep=true'"
                let refused = try await site.shell(curl + "-I " + url)
                #expect(refused.text == "400")
                #expect(try await site.client.camera("pattern").counters.opened == 0)
                let taken = try await site.shell(curl + "-I " + url.replacing("true", with: "false"))
                #expect(taken.text == "200")
                #expect(try site.pictures.isEmpty)
                #expect(try await site.shell(curl + url).text == "200")
                #expect(try site.pictures.contains { $0.hasSuffix("pattern/latest.jpg") })
            }
        }

        @Test func `the header tells what the catalog tells later`() async throws {
            try await Site.serving("MJPG:320x240@30") { site, _ in
                let reply = try await site.client.send(
                    ControlRequest("GET", Self.path, query: [("keep", "true"), ("tags", "door,night-2")])
                )
                var told = try record(reply)
                #expect(told.tags == ["door", "night-2"] && told.verdict != nil && told.stored == .durable)
                #expect(told.bytes == reply.body.count && told.width == 320)
                // The clock that is drawn is the monotonic one.
                let drawn = Int64(try drawnCode(in: reply.body).microseconds)
                #expect(told.capturedMonotonicNs.map { $0 / 1000 } == drawn)
                // How old it was, how long it took and where the focus was is of the reply only, and that clock of this boot.
                (told.ageMs, told.waitedMs, told.skipped, told.phasesMs) = (nil, nil, nil, nil)
                (told.focus, told.capturedMonotonicNs) = (nil, nil)
                #expect(try await site.client.frame(told.id).still == told)
            }
        }

        @Test func `a burst into files is as many whole pictures under names of their own`() async throws {
            try await Site.serving("YUYV:320x240@30") { site, _ in
                let line = "tintype burst --count 3 --every 100ms -o door-%Y-%03i.jpg --json"
                let outcome = try await site.shell(line)
                #expect(outcome.status == 0, "\(outcome.errors)")
                let list = try outcome.read(StillList.self)
                #expect(Set(list.stills.map(\.sequence)).count == 3 && list.missed == nil)
                let names = try FileManager.default.contentsOfDirectory(atPath: site.folder).filter {
                    $0.wholeMatch(of: /door-20[0-9]{2}-00[123]\.jpg/) != nil
                }
                #expect(names.count == 3)
                for name in names { #expect(try await site.size(of: "\(site.folder)/\(name)") == "320x240") }
                #expect(try site.pictures.isEmpty)
                let pipe = try await site.shell("tintype burst --count 2 -o - | tail -c 2 | od -An -tx1")
                #expect(pipe.text.trimmingCharacters(in: .whitespacesAndNewlines) == "ff d9")
            }
        }
    }
}
