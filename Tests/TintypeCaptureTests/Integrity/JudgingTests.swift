// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeDevice
import TintypeImaging
import TintypeModel

@testable import TintypeCapture

struct JudgingTests {
    private static let size = FrameSize(width: 320, height: 240)

    /// A horizontal gradient.
    private static func jpeg() throws -> [UInt8] {
        let pixels = (0..<size.area).map { UInt8($0 % size.width / 2) }
        var encoder = JPEGEncoder()
        return try unsafe encoder.encode(pixels.span.bytes, layout: .grey(size), quality: 85)
    }

    @Test func `a larger picture with surplus bytes is learned, cropped and keeps the camera's EXIF data`() throws {
        let granted = FrameSize(width: 320, height: 232)
        let plain = try Exif.added(to: Self.jpeg(), make: "Acme", model: "Eye", orientation: 6)
        let odd: [UInt8] = plain.dropLast(2) + [UInt8](repeating: 0x55, count: 9) + plain.suffix(2)
        let (clock, memory) = (TestClock(), KnownFaults(clock: TestClock()))
        var codecs = EncodingThreads.Codecs(clock: clock)
        let options = EncodingOptions(ImageOptions(), integrity: .strict)
        let began = clock.now
        var made: EncodedImage?
        for ordinal in UInt64(1)...31 {
            let stamp = FrameStamp(ordinal, at: began + .milliseconds(110 * Int64(ordinal)))
            let taken = RingPicture(stamp: stamp, layout: .jpeg(granted), bytes: odd)
            made = try? codecs.render(Frame(taken, faults: memory), as: options)
        }
        #expect(memory.tolerance?.map(\.quirk) == [.largerSize, .surplusBytes])
        let still = try #require(made)
        #expect(still.verdict == .tolerated && still.faults == [.size, .surplusBytes] && still.size == granted)
        #expect(try JPEGHeader.read(still.jpeg.rawSpan).size == granted)
        #expect(still.camera?.orientation == 6)
    }

    @Test(arguments: [(Integrity.strict, Verdict.intact), (.tolerant, .sound)])
    func `a baseline picture is inspected without a decoder`(_ integrity: Integrity, _ verdict: Verdict) throws {
        var codecs = EncodingThreads.Codecs(clock: TestClock())
        let picture = Frame(try Self.jpeg(), Self.size)
        let made = try codecs.render(picture, as: EncodingOptions(ImageOptions(), integrity: integrity))
        let defects = codecs.defects(of: picture, made: made, remembering: AnalysisCache())
        #expect(made.verdict == verdict && defects.isEmpty)
        // A strict inspection reads all codes and so finds empty pictures as well.
        #expect((made.emptiness != nil) == (integrity == .strict))
        let isDecoded = codecs.inspector.decoder.isMade
        #expect(!isDecoded)
    }

    @Test func `a frame is inspected once for each depth, whatever is made of it`() throws {
        var codecs = EncodingThreads.Codecs(clock: TestClock())
        let frame = Frame(try Self.jpeg(), Self.size)
        for quality in [90, 50] {
            _ = try codecs.render(frame, as: EncodingOptions(ImageOptions(quality: quality), integrity: .strict))
        }
        var made = 0
        for depth in [JPEGInspection.Depth.entropy, .segments, .segments] {
            _ = frame.inspection(at: depth) {
                made += 1
                return frame.withBytes {
                    JPEGInspection($0, expected: Self.size, depth: depth, with: &codecs.inspector)
                }
            }
        }
        #expect(made == 1)
    }
}
