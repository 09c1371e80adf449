// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

@testable import TintypeDevice

struct BufferMarkTests {
    private func mark(_ sequence: Int, at milliseconds: Int? = nil) -> BufferMark {
        let time = MonotonicTime(nanoseconds: Int64(milliseconds ?? sequence * 10) * 1_000_000)
        return BufferMark(sequence: UInt32(sequence), time: time)
    }

    /// Returns true if frame 12 in the buffer `index` may be overwritten given the current marks.
    private func isOverwritten(_ index: Int, _ present: [BufferMark?]) -> Bool {
        mark(12).mayBeOverwritten(at: index, of: present.count) { present[$0] }
    }

    @Test func `a buffer is safe while another will be filled before it`() {
        #expect(!isOverwritten(2, [10, 11, 12, 8, 9].map { mark($0) }))
        #expect(!isOverwritten(2, [15, 11, 12, 13, 14].map { mark($0) }))
        // A frame from before REQBUFS and one after it; the other buffers were not filled since.
        let none = BufferMark(sequence: 0, time: MonotonicTime(nanoseconds: 0))
        let present = [none, none, mark(13)]
        #expect(!none.mayBeOverwritten(at: 1, of: 3) { present[$0] })
        #expect(none.mayBeOverwritten(at: 2, of: 3) { present[$0] })
        // The other buffers are still empty.
        #expect(!isOverwritten(0, [mark(12), mark(0), mark(0)]))
    }

    @Test func `a buffer may be overwritten once all others are newer or its own mark changed`() {
        #expect(isOverwritten(2, [15, 16, 12, 13, 14].map { mark($0) }))
        #expect(isOverwritten(0, [12, 13].map { mark($0) }))
        #expect(isOverwritten(2, [15, 16, 17, 13, 14].map { mark($0) }))
        #expect(isOverwritten(2, [10, 11, 12].map { mark($0, at: $0 * 10 + 1) }))
    }

    @Test func `an unknown buffer mark counts as overwritten`() {
        #expect(isOverwritten(1, [mark(11), nil, mark(13)]))
        #expect(isOverwritten(1, [nil, mark(12), mark(13)]))
    }

    @Test func `a buffer's own mark decides if the others are unreliable`() {
        #expect(!isOverwritten(0, [mark(12)]))
        #expect(isOverwritten(0, [mark(13)]))
        #expect(!isOverwritten(2, [mark(12), mark(12), mark(12)]))
        #expect(isOverwritten(2, [mark(12), mark(13), mark(12)]))
        #expect(!isOverwritten(1, [mark(11, at: 120), mark(12), mark(13, at: 120)]))
    }
}
