// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TestSupport
internal import Testing
internal import TintypeModel
internal import tintype

extension Processes {
    /// The EXIF data of pictures, read by exiftool.
    @Suite struct ExifTests {
        private func tags(_ site: Site, _ path: String) async throws -> [String: String] {
            let outcome = try await site.shell("exiftool -json -n -a -validate -warning -error -all '\(path)'")
            let list = try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [[String: Any]]
            let tags = try #require(list?.first, "\(outcome.errors)").mapValues { "\($0)" }
            #expect(tags["Warning"] == nil && tags["Error"] == nil && tags["Validate"] == "0 0 0", "\(tags)")
            return tags
        }

        /// Capture time in microseconds since 1970.
        private func microseconds(_ tags: [String: String]) -> Int64? {
            let reader = DateFormatter()
            reader.locale = Locale(identifier: "en_US_POSIX")
            reader.dateFormat = "yyyy:MM:dd HH:mm:ssxxx"
            let text = "\(tags["DateTimeOriginal"] ?? "")\(tags["OffsetTimeOriginal"] ?? "")"
            guard let date = reader.date(from: text), let micros = tags["SubSecTimeOriginal"].flatMap(Int64.init) else {
                return nil
            }
            return Int64(date.timeIntervalSince1970) * 1_000_000 + micros
        }

        @Test func `EXIF has time, camera and frame of a stored picture`() async throws {
            try await Site.with { site in
                let patterns = [
                    "YUYV:640x360@30", "MJPG:640x360@30", "MJPG:640x360@30,no-dht,padding=64", "NV12:320x240@30",
                    "GREY:320x240@30", "BA81:320x240@30",
                ]
                _ = try await site.startDaemon(patterns, environment: ["TZ": "Asia/Kolkata"])
                let cameras = ["pattern"] + (2...6).map { "pattern-\($0)" }
                for (pattern, camera) in zip(patterns, cameras) {
                    let reply = try await site.tintype("still", camera, "--json")
                    let record = try #require(try reply.read(StillList.self).stills.first)
                    let tags = try await tags(site, record.path ?? "")
                    #expect(tags["ImageUniqueID"] == record.id.description.filter { $0 != "-" }, "\(pattern)")
                    #expect(tags["Model"] == "Test pattern", "\(pattern)")
                    let comment = tags["UserComment"] ?? ""
                    let start = "sequence=\(record.sequence) verdict=\(record.verdict?.rawValue ?? "")"
                    #expect(comment.hasPrefix(start), "\(pattern)")
                    #expect(microseconds(tags) == record.capturedAt.microseconds, "\(pattern)")
                    #expect(tags["OffsetTimeOriginal"] == "+05:30", "\(pattern)")
                    #expect(tags["ExifImageWidth"] == "\(record.width)", "\(pattern)")
                    #expect(tags["ExifImageHeight"] == "\(record.height)", "\(pattern)")
                    #expect(tags["FileSize"] == "\(record.bytes)", "\(pattern)")
                }
            }
        }

        /// Requests, and the sizes of their pictures from a source of 640x352.
        private static let renderings = [
            (#"{"rotate":90}"#, "352x640"), (#"{"rotate":270,"lossless":false}"#, "352x640"),
            (#"{"flip":"horizontal"}"#, "640x352"), (#"{"crop":"320x176+16+16"}"#, "320x176"),
            (#"{"crop":"321x177+15+17","lossless":false}"#, "321x177"), (#"{"width":320}"#, "320x176"),
            (#"{"height":100,"rotate":90}"#, "55x100"), (#"{"average":4}"#, "640x352"),
            (#"{"average":2,"width":320,"rotate":180}"#, "320x176"), (#"{"overlay":"%F"}"#, "640x352"),
        ]

        @Test(arguments: ["MJPG:640x352@30", "YUYV:640x352@30"])
        func `EXIF has size and orientation of every rendering`(pattern: String) async throws {
            try await Site.serving(pattern) { site, _ in
                for (body, size) in Self.renderings {
                    let record = try await site.record(body)
                    let tags = try await tags(site, try #require(record.path))
                    let told = "\(tags["ExifImageWidth"] ?? "")x\(tags["ExifImageHeight"] ?? "")"
                    // From the frame header of the file.
                    let drawn = "\(tags["ImageWidth"] ?? "")x\(tags["ImageHeight"] ?? "")"
                    #expect(told == size && drawn == size && "\(record.width)x\(record.height)" == size, "\(body)")
                    #expect(tags["Orientation"] == "1", "\(body)")
                    #expect(tags["ImageUniqueID"] == record.id.description.filter { $0 != "-" }, "\(body)")
                    let average = tags["UserComment"]?.split(separator: " ").first { $0.hasPrefix("average=") }
                    #expect(average.map(String.init) == record.average.map { "average=\($0)" }, "\(body)")
                }
            }
        }

        @Test func `EXIF has exposure and gain of the camera`() async throws {
            try await Site.with { site in
                _ = try await site.startDaemon(["YUYV:320x240@30"])
                let before = try await tags(site, try #require(try await site.still().path))
                #expect(before["ExposureTime"] == "0.025" && before["ISO"] == "64")
                let settings = "auto_exposure=manual exposure_time_absolute=10ms gain=100"
                let set = try await site.shell("tintype controls set pattern \(settings)")
                #expect(set.status == 0, "\(set.errors)")
                // Controls are read again after half a second.
                try await eventually("the new exposure is in the picture") {
                    let tags = try await tags(site, try #require(try await site.still().path))
                    return tags["ExposureTime"] == "0.01" && tags["ISO"] == "100"
                }
            }
        }
    }
}
