// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Testing
internal import TintypeClient
internal import TintypeDevice
internal import TintypeImaging
internal import TintypeModel
internal import TintypePattern

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
                var decoder = JPEGDecoder()
                let (size, luma) = try unsafe decoder.decodeLuma(jpeg.span.bytes)
                #expect(size == FrameSize(width: 512, height: 96))
                #expect(PatternCode(luma: luma, size: size) == nil)
                #expect(PatternCode(luma: luma.reversed(), size: size) != nil)
            }
        }

        @Test(arguments: [
            "YUYV:640x120@30", "MJPG:640x120@30", "NV12:640x120@30", "GREY:640x120@30", "BA81:640x120@30",
        ])
        func `what is turned of such a camera's picture is turned after it was put upright`(pattern: String)
            async throws
        {
            try await Site.with { site in
                _ = try await site.startDaemon([pattern], environment: ["LIBV4LCONTROL_FLAGS": "3"])
                // Twice upside down, the second time by request, and drawn smaller.
                for (body, width) in [(#"{"rotate":180}"#, 640), (#"{"rotate":180,"width":320,"quality":95}"#, 320)] {
                    let record = try await site.record(body)
                    let jpeg = [UInt8](try Data(contentsOf: URL(filePath: try #require(record.path))))
                    var decoder = JPEGDecoder()
                    let (size, luma) = try unsafe decoder.decodeLuma(jpeg.span.bytes)
                    #expect(size == FrameSize(width: width, height: width * 3 / 16))
                    #expect(size == FrameSize(width: record.width, height: record.height))
                    #expect(PatternCode(luma: luma, size: size) != nil)
                }
            }
        }

        @Test func `a crop outside of the picture is told with its size, by every way in`() async throws {
            try await Site.serving("MJPG:320x192@30") { site, _ in
                let reply = try await site.post(#"{"crop":"320x192+1+0"}"#)
                #expect(reply.status == 400)
                let problem = try WireFormat.decode(Problem.self, from: reply.body)
                #expect(problem.code == .invalidRequest && problem.field == "crop")
                #expect(problem.detail.contains("picture of 320x192"))
            }
        }
    }
}
