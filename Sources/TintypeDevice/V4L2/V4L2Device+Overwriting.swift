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
