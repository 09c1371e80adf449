// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc
internal import TintypeModel

extension V4L2Device {
    /// What `VIDIOC_DQBUF` says of a buffer, the same for both APIs.
    struct DequeuedBuffer {
        let index: Int
        let sequence: UInt32
        let flags: UInt32
        /// `V4L2_FIELD_*`: which field it has.
        let field: UInt32
        let time: MonotonicTime
        /// Where the data begins in the buffer (`data_offset` of the multi-planar API).
        let offset: Int
        /// Bytes of data from there (`bytesused`, which counts the offset too).
        let used: Int
    }

    func requestBuffers(_ count: UInt32) throws(DeviceError) -> Int {
        var request = v4l2_requestbuffers()
        request.count = count
        request.type = bufferType.rawValue
        request.memory = V4L2_MEMORY_MMAP.rawValue
        try node.perform(.requestBuffers, CV4L2_REQBUFS, &request)
        return Int(request.count)
    }

    func map(_ count: Int) throws(DeviceError) -> BufferPool {
        var buffers: [UnsafeMutableRawBufferPointer] = unsafe []
        for index in 0..<count {
            do throws(DeviceError) {
                unsafe buffers.append(try map(index: index))
            } catch {
                // The pool unmaps what there is.
                _ = unsafe BufferPool(buffers)
                throw error
            }
        }
        return unsafe BufferPool(buffers)
    }

    private func map(index: Int) throws(DeviceError) -> UnsafeMutableRawBufferPointer {
        let (code, length, offset) = unsafe withBuffer { (buffer, plane) -> (CInt, Int, UInt32) in
            unsafe buffer.index = UInt32(index)
            let code = unsafe node.attempt(.queryBuffer, CV4L2_QUERYBUF, &buffer)
            return unsafe isMultiPlanar
                ? (code, Int(plane().length), plane().m.mem_offset)
                : (code, Int(buffer.length), unsafe buffer.m.offset)
        }
        guard code == 0 else { throw DeviceError(operation: "VIDIOC_QUERYBUF", path: node.path, errno: code) }
        let start = unsafe node.calls.during(.map) {
            unsafe mmap(nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, node.descriptor, off_t(offset))
        }
        guard let start = unsafe start, unsafe start != MAP_FAILED else {
            throw DeviceError(operation: "mmap", path: node.path, errno: errno)
        }
        return unsafe UnsafeMutableRawBufferPointer(start: start, count: length)
    }

    func queue(_ index: Int) throws(DeviceError) {
        let code = unsafe withBuffer { (buffer, _) in
            unsafe buffer.index = UInt32(index)
            return unsafe node.attempt(.queue, CV4L2_QBUF, &buffer)
        }
        guard code == 0 else { throw DeviceError(operation: "VIDIOC_QBUF", path: node.path, errno: code) }
    }

    /// The next filled buffer; nil if none waits.
    func next() throws(DeviceError) -> DequeuedBuffer? {
        let (code, result) = unsafe withBuffer { (buffer, plane) -> (CInt, DequeuedBuffer) in
            let code = unsafe node.attempt(.dequeue, CV4L2_DQBUF, &buffer)
            let offset = isMultiPlanar ? Int(plane().data_offset) : 0
            let used = unsafe isMultiPlanar ? Int(plane().bytesused) : Int(buffer.bytesused)
            return unsafe (
                code,
                DequeuedBuffer(
                    index: Int(buffer.index),
                    sequence: buffer.sequence,
                    flags: buffer.flags,
                    field: buffer.field,
                    time: MonotonicTime(buffer.timestamp),
                    offset: offset,
                    used: max(0, used - offset)
                )
            )
        }
        switch code {
        case 0: return result
        case EAGAIN: return nil
        default: throw DeviceError(operation: "VIDIOC_DQBUF", path: node.path, errno: code)
        }
    }

    /// Calls `body` with a `v4l2_buffer` of this device's type, its planes attached where the API has them.
    func withBuffer<R>(_ body: (inout v4l2_buffer, () -> v4l2_plane) -> R) -> R {
        var buffer = unsafe v4l2_buffer()
        unsafe buffer.type = bufferType.rawValue
        unsafe buffer.memory = V4L2_MEMORY_MMAP.rawValue
        var planes: InlineArray<8, v4l2_plane> = InlineArray(repeating: v4l2_plane())
        guard isMultiPlanar else { return unsafe body(&buffer) { v4l2_plane() } }
        var span = planes.mutableSpan
        return unsafe span.withUnsafeMutableBufferPointer { planes in
            unsafe buffer.length = UInt32(planes.count)
            unsafe buffer.m.planes = planes.baseAddress
            return unsafe body(&buffer) { unsafe planes[0] }
        }
    }
}

extension MonotonicTime {
    /// The time that a driver wrote; wraps rather than traps, whatever that is.
    init(_ time: timeval) {
        self.init(nanoseconds: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_usec) &* 1000)
    }
}
