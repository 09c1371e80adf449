// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TestSupport
internal import Testing
internal import TintypeModel
internal import tintype

extension Processes {
    @Suite struct StillTests {
        @Test func `Pillow and djpeg decode a still`() async throws {
            try await Site.with { site in
                let patterns = ["YUYV:640x360@30", "MJPG:640x360@30", "NV12:320x240@30", "GREY:320x240@30"]
                _ = try await site.startDaemon(patterns)
                for (pattern, camera) in zip(patterns, ["pattern", "pattern-2", "pattern-3", "pattern-4"]) {
                    let outcome = try await site.tintype("still", camera)
                    #expect(outcome.status == 0, "\(pattern): \(outcome.errors)")
                    let path = outcome.text.trimmingCharacters(in: .newlines)
                    #expect(path.hasPrefix("\(site.spool)/\(camera)/"))
                    let size = try await site.size(of: path)
                    #expect(pattern.contains(":\(size)@"), "\(pattern): \(size)")
                    try await site.expectWhole(path, pattern)
                }
            }
        }

        @Test func `-o writes a picture to a file or pipe without storing it`() async throws {
            try await Site.serving("MJPG:640x360@30") { site, _ in
                #expect(try await site.tintype("still", "-o", "picture.jpg").status == 0)
                #expect(try await site.size(of: "\(site.folder)/picture.jpg") == "640x360")
                let pipe = try await site.shell("tintype still -o - | djpeg -grayscale > pipe.pgm")
                #expect(pipe.status == 0 && pipe.errors.isEmpty, "\(pipe.errors)")
                #expect(try await site.size(of: "\(site.folder)/pipe.pgm") == "640x360")
                #expect(try site.pictures.isEmpty)
            }
        }

        @Test func `commands print text and, with --json, JSON`() async throws {
            try await Site.serving("YUYV:320x240@30") { site, _ in
                _ = try await site.client.start("pattern")
                let still = try await site.tintype("still", "--json")
                // The reply may precede the state change of the session.
                try await eventually("it runs") { try await site.client.camera("pattern").state == .running }
                let stills = try still.read(StillList.self)
                #expect(stills.stills.first?.width == 320 && stills.stills.first?.stored == .durable)
                let cameras = try await site.tintype("cameras")
                #expect(cameras.text.hasPrefix("NAME") && cameras.text.contains("pattern  running  YUYV:320x240@30"))
                let list = try await site.tintype("cameras", "--json").read(CameraList.self)
                #expect(list.cameras.map(\.name) == ["pattern"] && list.cameras.first?.counters.stills == 1)
                let formats = try await site.tintype("formats", "pattern")
                #expect(formats.text.contains("YUYV    320x240  30     yes"))
                let offered = try await site.tintype("formats", "--json").read(FormatList.self)
                #expect(offered.formats.map(\.pixelFormat) == [.yuyv])
                let status = try await site.tintype("status")
                #expect(status.text.contains("tintyped \(TintypeVersion.current) at \(site.socket): ok"))
                #expect(status.text.contains("pattern: running") && status.text.contains("1 stills"))
                let one = try await site.tintype("status", "pattern", "--json").read(CameraStatus.self)
                #expect(one.state == .running)
            }
        }

        @Test func `curl gets the picture with its record in the headers`() async throws {
            try await Site.serving("YUYV:640x360@30") { site, _ in
                let curl = try await site.shell(
                    "curl -fsS -D header.txt --unix-socket sock http://localhost/v1/cameras/pattern/still.jpg?deadlineMs=600000 -o a.jpg"
                )
                #expect(curl.status == 0, "\(curl.errors)")
                let header = try String(contentsOfFile: "\(site.folder)/header.txt", encoding: .utf8).lowercased()
                let names = [
                    "id", "camera", "sequence", "captured-at", "captured-monotonic-ns", "timestamp-source", "age-ms",
                    "stored",
                ]
                for name in names {
                    #expect(header.contains("\r\ntintype-\(name): "), "\(header)")
                }
                #expect(header.contains("\r\ncontent-type: image/jpeg\r\n"))
                #expect(try await site.size(of: "\(site.folder)/a.jpg") == "640x360")
                let contract = try await site.shell(
                    "curl -fsS --unix-socket sock http://localhost/openapi.json | python3 -c "
                        + "'import json, sys; print(json.load(sys.stdin)[\"openapi\"])'"
                )
                #expect(contract.text.hasPrefix("3.1"))
            }
        }

        @Test func `the picture of a 201 reply is stored by path, link and id`() async throws {
            try await Site.serving("YUYV:640x360@30") { site, _ in
                let reply = try await site.post(#"{"deadlineMs":600000}"#)
                #expect(reply.status == 201)
                let record = try #require(try WireFormat.decode(StillList.self, from: reply.body).stills.first)
                let path = try #require(record.path)
                #expect(reply.header("Location") == "/v1/frames/\(record.id)")
                let sum = try await site.shell("sha256sum < '\(path)'; sha256sum < spool/pattern/latest.jpg")
                #expect(sum.text == "\(record.sha256 ?? "")  -\n\(record.sha256 ?? "")  -\n")
                let link = try FileManager.default.destinationOfSymbolicLink(atPath: "\(site.spool)/pattern/latest.jpg")
                #expect(path.hasSuffix(link))
                let found = try await site.client.frame(record.id)
                #expect(found.still.path == path && found.still.sha256 == record.sha256)
                let image = try await site.client.image(of: record.id)
                #expect(Data(image) == (try Data(contentsOf: URL(filePath: path))))
            }
        }
    }
}
