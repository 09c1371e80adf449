// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TestSupport
internal import Testing
internal import TintypeModel

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
                    let isAverage = pattern.hasPrefix("NV12")
                    let reply = try await site.tintype("still", camera, "--json", "--average", isAverage ? "2" : "1")
                    let record = try #require(try reply.read(StillList.self).stills.first)
                    let tags = try await tags(site, record.path ?? "")
                    #expect(tags["ImageUniqueID"] == record.id.description.filter { $0 != "-" }, "\(pattern)")
                    #expect(tags["Model"] == "Test pattern", "\(pattern)")
                    let comment = tags["UserComment"] ?? ""
                    let start = "sequence=\(record.sequence) verdict=\(record.verdict?.rawValue ?? "")"
                    #expect(comment.hasPrefix(start) && comment.contains("average=2") == isAverage, "\(pattern)")
                    #expect(microseconds(tags) == record.capturedAt.microseconds, "\(pattern)")
                    #expect(tags["OffsetTimeOriginal"] == "+05:30", "\(pattern)")
                    #expect(tags["ExifImageWidth"] == "\(record.width)", "\(pattern)")
                    #expect(tags["ExifImageHeight"] == "\(record.height)", "\(pattern)")
                    #expect(tags["FileSize"] == "\(record.bytes)", "\(pattern)")
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
