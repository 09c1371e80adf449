// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Testing
internal import TintypeDevice
internal import TintypeImaging
internal import TintypeModel
internal import tintype

extension Processes {
    @Suite struct UpsideDownTests {
        // LIBV4LCONTROL_FLAGS stands in for libv4lconvert's table: 1 is HFLIPPED, 2 is VFLIPPED.
        @Test func `turns the pictures of a camera mounted upside down`() async throws {
            try await Site.with { site in
                let patterns = ["YUYV", "MJPG", "NV12", "GREY", "BA81"].map { "\($0):640x120@30" }
                _ = try await site.startDaemon(patterns, environment: ["LIBV4LCONTROL_FLAGS": "3"])
                let cameras = ["pattern"] + (2...5).map { "pattern-\($0)" }
                for (pattern, camera) in zip(patterns, cameras) {
                    let outcome = try await site.tintype("still", camera, "--no-keep", "-o", "\(camera).jpg")
                    #expect(outcome.status == 0, "\(pattern): \(outcome.errors)")
                    var decoder = JPEGDecoder()
                    func decode(_ path: String) throws -> (size: FrameSize, luma: [UInt8]) {
                        let jpeg = [UInt8](try Data(contentsOf: URL(filePath: path)))
                        return try unsafe decoder.decodeLuma(jpeg.span.bytes)
                    }
                    // The pattern itself is upright, so a turned picture is upside down.
                    let (size, luma) = try decode("\(site.folder)/\(camera).jpg")
                    #expect(size == FrameSize(width: 640, height: 120), "\(pattern)")
                    #expect(PatternCode(luma: luma, size: size) == nil, "\(pattern)")
                    #expect(PatternCode(luma: luma.reversed(), size: size) != nil, "\(pattern)")
                    // Turned twice, the second time by request, and scaled down.
                    for (body, width) in [
                        (#"{"rotate":180}"#, 640), (#"{"rotate":180,"width":320,"quality":95}"#, 320),
                    ] {
                        let record = try await site.record(body, of: camera)
                        let (size, luma) = try decode(try #require(record.path))
                        #expect(size == FrameSize(width: width, height: width * 3 / 16), "\(pattern)")
                        #expect(size == FrameSize(width: record.width, height: record.height), "\(pattern)")
                        #expect(PatternCode(luma: luma, size: size) != nil, "\(pattern) \(body)")
                    }
                }
            }
        }
    }
}
