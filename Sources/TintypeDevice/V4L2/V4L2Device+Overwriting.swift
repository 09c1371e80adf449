// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc
internal import TintypeModel

extension V4L2Device {
    /// v4l2loopback's writers cycle through all buffers, whether or not a reader holds one.
    ///
    /// Up to version 0.13.2, those that write by mmap fill a single buffer over and over, according to its source. With
    /// them only frames completed in the meantime are detected.
    package var overwritesLentBuffers: Bool { identity.driver == "v4l2 loopback" }

    /// `VIDIOC_QUERYBUF`: for the buffer itself, then for others, until one is found that would be filled first.
    package func mayHaveOverwritten(_ lease: borrowing FrameLease) -> Bool {
        guard overwritesLentBuffers else { return false }
        guard let pool, let mark = lease.mark else { return true }
        return mark.mayBeOverwritten(at: lease.index, of: pool.count, present: { self.mark(of: $0) })
    }

    /// Current mark of a buffer; nil if the query fails.
    ///
    /// It may differ from that of `VIDIOC_DQBUF`: v4l2loopback after 0.13.2 returns zeros here for a buffer filled
    /// before `VIDIOC_REQBUFS`, and hands it out nevertheless.
    func mark(of index: Int) -> BufferMark? {
        let (code, mark) = unsafe withBuffer { (buffer, _) -> (CInt, BufferMark) in
            unsafe buffer.index = UInt32(index)
            let code = unsafe node.attempt(.queryBuffer, CV4L2_QUERYBUF, &buffer)
            return unsafe (code, BufferMark(sequence: buffer.sequence, time: MonotonicTime(buffer.timestamp)))
        }
        return code == 0 ? mark : nil
    }
}

/// Distinguishes one filling of a buffer from the next: `sequence` and `timestamp` of `v4l2_buffer`.
///
/// As returned by `VIDIOC_QUERYBUF`; both may be zero for a buffer not filled since `VIDIOC_REQBUFS`.
struct BufferMark: Hashable, Sendable {
    let sequence: UInt32
    /// The driver's timestamp.
    let time: MonotonicTime

    /// True if a writer that fills all buffers in turn, and marks each when it is full, may have started on this buffer
    /// since it was handed out.
    ///
    /// That is so if the mark has changed, or if all other buffers are newer, as this one is next then. A frame still
    /// being written is not detected if the writer has one buffer only, or gives all frames the same time.
    ///
    /// - Parameters:
    ///   - index: index of the buffer.
    ///   - count: number of buffers.
    ///   - present: current mark of a buffer; nil if the driver does not report it.
    /// - Returns: also true if the driver does not report a mark.
    func mayBeOverwritten(at index: Int, of count: Int, present: (Int) -> BufferMark?) -> Bool {
        guard present(index) == self else { return true }
        var hasNewer = false
        // The previous buffer is filled last, so it usually ends the search.
        for distance in 1..<max(1, count) {
            guard let other = present((index + count - distance) % count) else { return true }
            // The same buffer under two indices: another reader has requested fewer.
            if other == self, time.nanoseconds > 0 { continue }
            if other.time <= time { return false }
            hasNewer = true
        }
        return hasNewer
    }
}
