// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Testing
internal import TintypeModel

extension Processes {
    /// Overlays, checked in the pixels by Pillow.
    @Suite struct DrawnStillTests {
        @Test(arguments: ["YUYV:640x480@30,frozen", "MJPG:640x480@30,frozen"])
        func `draws the capture time into the lower left corner`(pattern: String) async throws {
            try await Site.with { site in
                _ = try await site.startDaemon([pattern], environment: ["TZ": "Asia/Kolkata"])
                let plain = try await site.record("{\"quality\": 95}")
                let format = "%Y-%m-%d %H:%M:%S Tor"
                let record = try await site.record("{\"quality\": 95, \"overlay\": \"\(format)\"}")
                let reader = DateFormatter()
                reader.locale = Locale(identifier: "en_US_POSIX")
                reader.timeZone = TimeZone(identifier: "Asia/Kolkata")
                reader.dateFormat = "yyyy-MM-dd HH:mm:ss 'Tor'"
                let seconds = Double(record.capturedAt.microseconds / 1_000_000)
                let expected = reader.string(from: Date(timeIntervalSince1970: seconds))
                func ink(_ text: String) async throws -> [Double] {
                    let said = try await site.python("pillow", ["ink", plain.path ?? "", record.path ?? "", text])
                    return said.split(separator: " ").compactMap { Double($0) }
                }
                let found = try await ink(expected)
                try #require(found.count == 2)
                #expect(found[0] > 0.6 && found[1] <= 12, "\(found)")
                // Another text is not there.
                let wrong = try await ink("1999-88-77 66:55:44 Bad")
                #expect((wrong.first ?? 1) < 0.5, "\(wrong)")
            }
        }
    }
}
