// SPDX-License-Identifier: Apache-2.0
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeImaging

struct LumaPictureTests {
    private static let size = FrameSize(width: 326, height: 187)

    /// Picture of one grey with noise, and with the modules of a code, a pixel each, in a square of 21 pixels.
    private func picture(noise seed: UInt64, code: UInt64? = nil, size: FrameSize = size) -> LumaPicture {
        var generator = SeededGenerator(seed: seed)
        var bytes = (0..<size.area).map { _ in UInt8(128 + Int.random(in: -8...8, using: &generator)) }
        if let code {
            var modules = SeededGenerator(seed: code)
            for row in 50..<71 {
                for column in 100..<121 { bytes[row * size.width + column] = Bool.random(using: &modules) ? 230 : 20 }
            }
        }
        return LumaPicture(size: size, bytes: bytes)
    }

    @Test func `noise is no change`() {
        #expect(!picture(noise: 1).blocks.differ(from: picture(noise: 2).blocks))
        #expect(!picture(noise: 3, code: 7).blocks.differ(from: picture(noise: 4, code: 7).blocks))
    }

    @Test func `a small code that comes, goes or is another one is a change`() {
        let without = picture(noise: 1).blocks
        #expect(picture(noise: 1, code: 7).blocks.differ(from: without))
        #expect(without.differ(from: picture(noise: 1, code: 7).blocks))
        #expect(picture(noise: 1, code: 8).blocks.differ(from: picture(noise: 1, code: 7).blocks))
    }

    @Test func `another size is a change, and the last columns and rows count`() {
        let other = FrameSize(width: 187, height: 326)
        #expect(picture(noise: 1, size: other).blocks.differ(from: picture(noise: 1).blocks))
        let plain = picture(noise: 1)
        var bytes = plain.bytes
        for row in 184..<187 { for column in 320..<326 { bytes[row * 326 + column] = 200 } }
        #expect(LumaPicture(size: Self.size, bytes: bytes).blocks.differ(from: plain.blocks))
    }
}
