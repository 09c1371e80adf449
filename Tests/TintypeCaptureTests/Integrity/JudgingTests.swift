// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeImaging
import TintypeModel

@testable import TintypeCapture

struct JudgingTests {
    private static let size = FrameSize(width: 320, height: 240)

    /// A horizontal gradient.
    private static func picture() throws -> CapturedPicture {
        let pixels = (0..<size.area).map { UInt8($0 % size.width / 2) }
        var encoder = JPEGEncoder()
        let jpeg = try unsafe encoder.encode(pixels.span.bytes, layout: .grey(size), quality: 85)
        return CapturedPicture(jpeg, size)
    }

    @Test(arguments: [(Integrity.strict, Verdict.intact), (.tolerant, .sound)])
    func `a baseline picture is inspected without a decoder`(_ integrity: Integrity, _ verdict: Verdict) throws {
        var codecs = EncodingThreads.Codecs(clock: TestClock())
        let picture = try Self.picture()
        let made = try codecs.render(picture, as: Rendition(ImageOptions(), integrity: integrity))
        let appearance = codecs.appearance(of: picture, made: made, remembering: RecentLooks())
        #expect(made.verdict == verdict && appearance.isEmpty)
        // A strict inspection reads all codes and so finds empty pictures as well.
        #expect((made.emptiness != nil) == (integrity == .strict))
        let isDecoded = codecs.inspector.decoder.isMade
        #expect(!isDecoded)
    }
}
