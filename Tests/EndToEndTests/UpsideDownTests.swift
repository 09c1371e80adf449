// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Testing
internal import TintypeDevice
internal import TintypeImaging
internal import TintypeModel

extension Processes {
    @Suite struct UpsideDownTests {
        // LIBV4LCONTROL_FLAGS stands in for libv4lconvert's table: 1 is HFLIPPED, 2 is VFLIPPED.
        @Test(arguments: ["YUYV:512x96@30", "MJPG:512x96@30", "NV12:512x96@30", "GREY:512x96@30", "BA81:512x96@30"])
        func `a camera that is built in upside down gives its pictures upright`(pattern: String) async throws {
            try await Site.with { site in
                _ = try await site.startDaemon([pattern], environment: ["LIBV4LCONTROL_FLAGS": "3"])
                let outcome = try await site.tintype("still", "--no-keep", "-o", "turned.jpg")
                #expect(outcome.status == 0, "\(outcome.errors)")
                // The pattern is drawn upright, so that what was turned is upside down.
                let jpeg = [UInt8](try Data(contentsOf: URL(filePath: "\(site.folder)/turned.jpg")))
                var decoder = try JPEGDecoder()
                let (size, luma) = try unsafe decoder.decodeLuma(jpeg.span.bytes)
                #expect(size == FrameSize(width: 512, height: 96))
                #expect(PatternCode(luma: luma, size: size) == nil)
                #expect(PatternCode(luma: luma.reversed(), size: size) != nil)
            }
        }
    }
}
