// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc
internal import TintypeModel

extension V4L2Device {
    /// v4l2loopback's writers go round all buffers, whether or not a reader still holds one.
    ///
    /// Those that write by mmap into a version up to 0.13.2 fill one buffer again and again, by its source: of these only a
    /// frame that was completed meanwhile is seen.
    package var overwritesLentBuffers: Bool { identity.driver == "v4l2 loopback" }

    /// The ioctl is `VIDIOC_QUERYBUF`: for the buffer itself, and for others until one is found that would be filled before.
    package func mayHaveOverwritten(_ lease: borrowing FrameLease) -> Bool {
        guard overwritesLentBuffers else { return false }
        guard let pool, let mark = lease.mark else { return true }
        return mark.mayBeOverwritten(at: lease.index, of: pool.count, present: { self.mark(of: $0) })
    }

    /// How a buffer is marked now; nil if the driver does not say.
    ///
    /// What `VIDIOC_DQBUF` says may be another mark: v4l2loopback after 0.13.2 shows zeros here for a buffer that was filled
    /// before `VIDIOC_REQBUFS`, and hands it out all the same.
    func mark(of index: Int) -> BufferMark? {
        let (code, mark) = unsafe withBuffer { (buffer, _) -> (CInt, BufferMark) in
            unsafe buffer.index = UInt32(index)
            let code = unsafe node.attempt(.queryBuffer, CV4L2_QUERYBUF, &buffer)
            return unsafe (code, BufferMark(sequence: buffer.sequence, time: MonotonicTime(buffer.timestamp)))
        }
        return code == 0 ? mark : nil
    }
}

/// What tells one filling of a buffer from the next: `sequence` and `timestamp` of `v4l2_buffer`.
///
/// As `VIDIOC_QUERYBUF` says them, where both may be zero for a buffer that was not filled since `VIDIOC_REQBUFS`.
struct BufferMark: Hashable, Sendable {
    let sequence: UInt32
    /// Its time, as the driver wrote it.
    let time: MonotonicTime

    /// Whether a writer that fills all buffers in turn, and marks each once it is full, may have been at one of them since
    /// it was handed out.
    ///
    /// So it is where the buffer has another mark now, and where all others were filled after it, since it is next then.
    /// Of a writer that has one buffer only, or that dates all frames alike, a frame that is still being written is not seen.
    ///
    /// - Parameters:
    ///   - index: which buffer.
    ///   - count: how many there are.
    ///   - present: the mark that a buffer has now; nil if the driver does not say.
    /// - Returns: whether it may have been; true where the driver does not say.
    func mayBeOverwritten(at index: Int, of count: Int, present: (Int) -> BufferMark?) -> Bool {
        guard present(index) == self else { return true }
        var hasNewer = false
        // The one before it is the last to be filled, and so the one that ends the search as a rule.
        for distance in 1..<max(1, count) {
            guard let other = present((index + count - distance) % count) else { return true }
            // The same buffer by two numbers: another reader has asked for fewer.
            if other == self, time.nanoseconds > 0 { continue }
            if other.time <= time { return false }
            hasNewer = true
        }
        return hasNewer
    }
}
