// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc
internal import TintypeModel

extension V4L2Device {
    struct DequeuedBuffer {
        let index: Int
        let sequence: UInt32
        let flags: UInt32
        /// `V4L2_FIELD_*`.
        let field: UInt32
        let time: MonotonicTime
        /// Start of the data in the buffer (`data_offset` of the multi-planar API).
        let offset: Int
        /// Bytes of data from ``offset`` (`bytesused` without the offset).
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
                // The pool unmaps the buffers mapped so far.
                _ = unsafe BufferPool(buffers)
                throw error
            }
        }
        return unsafe BufferPool(buffers)
    }

    /// Separate planes are mapped at the offsets of the layout, in one address range.
    private func map(index: Int) throws(DeviceError) -> UnsafeMutableRawBufferPointer {
        let count = max(1, separatePlanes.count)
        let (code, parts) = unsafe withBuffer { (buffer, plane) -> (CInt, [(length: Int, offset: UInt32)]) in
            unsafe buffer.index = UInt32(index)
            let code = unsafe node.attempt(.queryBuffer, CV4L2_QUERYBUF, &buffer)
            guard isMultiPlanar else { return unsafe (code, [(Int(buffer.length), buffer.m.offset)]) }
            return (code, (0..<count).map { unsafe (Int(plane($0).length), plane($0).m.mem_offset) })
        }
        guard code == 0 else { throw DeviceError(operation: "VIDIOC_QUERYBUF", path: node.path, errno: code) }
        guard count > 1 else {
            let start = unsafe try map(parts[0].length, parts[0].offset, at: nil)
            return unsafe UnsafeMutableRawBufferPointer(start: start, count: parts[0].length)
        }
        let total = (0..<count).reduce(0) { $0 + room($1) }
        let reserved = unsafe mmap(nil, total, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let reserved = unsafe reserved, unsafe reserved != MAP_FAILED else {
            throw DeviceError(operation: "mmap", path: node.path, errno: errno)
        }
        for (number, part) in parts.enumerated() {
            do throws(DeviceError) {
                let place = unsafe reserved + separatePlanes[number].start
                _ = unsafe try map(min(part.length, room(number)), part.offset, at: place)
            } catch {
                unsafe munmap(reserved, total)
                throw error
            }
        }
        return unsafe UnsafeMutableRawBufferPointer(start: reserved, count: total)
    }

    /// With `place`, replaces the mapping there (`MAP_FIXED` of mmap(2)).
    private func map(
        _ length: Int,
        _ offset: UInt32,
        at place: UnsafeMutableRawPointer?
    ) throws(DeviceError) -> UnsafeMutableRawPointer {
        let flags = unsafe MAP_SHARED | (place == nil ? 0 : MAP_FIXED)
        let (start, code) = unsafe node.calls.during(.map) {
            let start = unsafe mmap(place, length, PROT_READ | PROT_WRITE, flags, node.descriptor, off_t(offset))
            return unsafe (start, errno)
        }
        guard let start = unsafe start, unsafe start != MAP_FAILED else {
            throw DeviceError(operation: "mmap", path: node.path, errno: code)
        }
        return unsafe start
    }

    private func room(_ number: Int) -> Int {
        let plane = separatePlanes[number]
        return separatePlanes.indices.contains(number + 1)
            ? separatePlanes[number + 1].start - plane.start : Self.wholePages(plane.stride * plane.rows)
    }

    /// The unit of mmap(2).
    static func wholePages(_ count: Int) -> Int {
        let page = Int(getpagesize())
        return (count + page - 1) / page * page
    }

    /// Moves each plane's data to the start of its mapping if the driver left a gap (`data_offset`); returns the bytes
    /// up to the end of the last plane, or of the first incomplete one.
    private func gather(_ index: Int, _ plane: (Int) -> v4l2_plane) -> Int {
        guard let pool, index < pool.count, let frame = unsafe pool.bytes(index).baseAddress else { return 0 }
        var end = 0
        for (number, place) in separatePlanes.enumerated() {
            let need = place.stride * place.rows
            let (before, used) = (Int(plane(number).data_offset), Int(plane(number).bytesused))
            let have = min(used - before, need, room(number) - before)
            guard have > 0 else { return place.start }
            if before > 0 {
                let start = unsafe UnsafeMutableRawPointer(mutating: frame + place.start)
                unsafe memmove(start, start + before, have)
            }
            end = place.start + have
            guard have == need else { return end }
        }
        return end
    }

    func queue(_ index: Int) throws(DeviceError) {
        let code = unsafe withBuffer { (buffer, _) in
            unsafe buffer.index = UInt32(index)
            return unsafe node.attempt(.queue, CV4L2_QBUF, &buffer)
        }
        guard code == 0 else { throw DeviceError(operation: "VIDIOC_QBUF", path: node.path, errno: code) }
    }

    /// Nil if none is ready.
    func next() throws(DeviceError) -> DequeuedBuffer? {
        let (code, result) = unsafe withBuffer { (buffer, plane) -> (CInt, DequeuedBuffer) in
            let code = unsafe node.attempt(.dequeue, CV4L2_DQBUF, &buffer)
            let isGathered = code == 0 && !separatePlanes.isEmpty
            let offset = isMultiPlanar && !isGathered ? Int(plane(0).data_offset) : 0
            let used =
                unsafe isGathered
                ? gather(Int(buffer.index), plane) : isMultiPlanar ? Int(plane(0).bytesused) : Int(buffer.bytesused)
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

    /// With planes attached for the multi-planar API.
    func withBuffer<R>(_ body: (inout v4l2_buffer, (Int) -> v4l2_plane) -> R) -> R {
        var buffer = unsafe v4l2_buffer()
        unsafe buffer.type = bufferType.rawValue
        unsafe buffer.memory = V4L2_MEMORY_MMAP.rawValue
        var planes: InlineArray<8, v4l2_plane> = InlineArray(repeating: v4l2_plane())
        guard isMultiPlanar else { return unsafe body(&buffer) { _ in v4l2_plane() } }
        var span = planes.mutableSpan
        return unsafe span.withUnsafeMutableBufferPointer { planes in
            unsafe buffer.length = UInt32(planes.count)
            unsafe buffer.m.planes = planes.baseAddress
            return unsafe body(&buffer) { unsafe planes[$0] }
        }
    }
}

extension MonotonicTime {
    /// Wraps on overflow instead of trapping.
    init(_ time: timeval) { self.init(nanoseconds: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_usec) &* 1000) }
}
