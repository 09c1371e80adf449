// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Testing

@testable import TintypeAPI

struct SharedPicturesTests {
    /// True if both buffers have the same memory.
    private func isShared(_ one: ByteBuffer, _ other: ByteBuffer) -> Bool {
        one.readableBytesSpan.isIdentical(to: other.readableBytesSpan)
    }

    @Test func `viewers of a picture share its buffer, of equal pictures not`() {
        let pictures = SharedPictures()
        pictures.addViewer(of: 1)
        pictures.addViewer(of: 1)
        let (jpeg, equal) = ([UInt8](repeating: 7, count: 1000), [UInt8](repeating: 7, count: 1000))
        let first = pictures.buffer(of: jpeg)
        #expect(isShared(first, pictures.buffer(of: jpeg)))
        #expect(!isShared(first, pictures.buffer(of: equal)))
        #expect(Array(first.readableBytesView) == jpeg + PicturePart.end.utf8)
    }

    @Test func `a single viewer holds no picture`() {
        let pictures = SharedPictures()
        for _ in 0..<2 { pictures.addViewer(of: 1) }
        let jpeg = [UInt8](repeating: 7, count: 1000)
        let shared = pictures.buffer(of: jpeg)
        pictures.removeViewer(of: 1)
        #expect(!isShared(shared, pictures.buffer(of: jpeg)))
        #expect(!isShared(pictures.buffer(of: jpeg), pictures.buffer(of: jpeg)))
    }

    @Test func `two replies of nine cameras share all their newest pictures`() {
        let pictures = SharedPictures()
        for _ in 0..<2 { pictures.addViewer(of: 9) }
        let jpegs = (0..<9).map { [UInt8](repeating: UInt8($0), count: 1000) }
        let first = jpegs.map(pictures.buffer)
        #expect(zip(first, jpegs.map(pictures.buffer)).allSatisfy(isShared))
        pictures.removeViewer(of: 9)
        #expect(!isShared(first[0], pictures.buffer(of: jpegs[0])))
    }
}
