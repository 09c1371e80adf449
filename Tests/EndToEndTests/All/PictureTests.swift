// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TestSupport
internal import Testing
internal import TintypeDevice
internal import TintypeModel
internal import tintype

extension Processes {
    @Suite struct PictureTests {
        @Test func `reply headers equal the catalog record`() async throws {
            try await Site.serving("MJPG:320x240@30") { site, _ in
                let path = "/v1/cameras/pattern/still.jpg"
                let query = [(name: "keep", value: "true"), (name: "tags", value: "door,night-2")]
                let reply = try await site.client.send(ControlRequest("GET", path, query: query))
                var told = try #require(StillRecord(bytes: reply.body.count) { reply.header($0) })
                #expect(told.tags == ["door", "night-2"] && told.verdict != nil && told.stored == .durable)
                #expect(told.bytes == reply.body.count && told.width == 320)
                // The drawn time is the monotonic clock.
                let drawn = Int64(try drawnCode(in: reply.body).microseconds)
                #expect(told.capturedMonotonicNs.map { $0 / 1000 } == drawn)
                // Age, durations and focus are in the reply only, and the monotonic time is valid for this boot only.
                (told.ageMs, told.waitedMs, told.skipped, told.phasesMs) = (nil, nil, nil, nil)
                (told.focus, told.capturedMonotonicNs) = (nil, nil)
                #expect(try await site.client.frame(told.id).still == told)
            }
        }

        @Test func `a burst with -o writes whole pictures to separate files`() async throws {
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
