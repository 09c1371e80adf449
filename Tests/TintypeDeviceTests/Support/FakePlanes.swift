// SPDX-License-Identifier: Apache-2.0
import CV4L2
import Foundation
import Glibc
import TintypeModel

@testable import TintypeDevice

/// A driver of the multi-planar API with one buffer of a 64x48 picture and file-backed planes: plane n is filled with
/// n, counted from 1, and the space before its data with 0xEE.
final class FakePlanes {
    /// A plane of the format and of the only buffer.
    struct Plane {
        var stride: Int
        /// Size of its buffer (`sizeimage`).
        var room: Int
        /// Offset of its data (`data_offset`).
        var before = 0
        /// `bytesused`, which includes the space before the data.
        var used: Int
    }

    /// The only format at full size.
    let wish: CaptureFormat
    var planes: [Plane]
    let path = "/tmp/tintype-planes-\(UUID().uuidString)"
    private var isQueued = false

    init(_ pixelFormat: FourCC, _ planes: [Plane]) {
        wish = CaptureFormat(pixelFormat: pixelFormat, size: FrameSize(width: 64, height: 48), interval: nil)
        self.planes = planes
    }

    deinit { unsafe unlink(path) }

    /// Returns the format granted by a new device, without a crop.
    func configure() throws -> GrantedFormat { try device().configure(wish, crop: nil) }

    func device() throws -> V4L2Device {
        var content = Data()
        for (number, plane) in planes.enumerated() {
            content += Data(repeating: 0xEE, count: plane.before)
            content += Data(repeating: UInt8(number + 1), count: V4L2Device.wholePages(plane.room) - plane.before)
        }
        try content.write(to: URL(filePath: path))
        let handle = Descriptor(unsafe path.withCString { unsafe cv4l2_open($0, O_RDWR | O_CLOEXEC) })
        let node = unsafe V4L2Node(handle, path: "/dev/fake", calls: DriverCalls()) { _, request, argument in
            unsafe self.answer(request, argument)
        }
        return try V4L2Device(node)
    }

    private func answer(_ request: UInt, _ argument: UnsafeMutableRawPointer) -> CInt {
        switch request {
        case CV4L2_QUERYCAP:
            let capability = unsafe argument.assumingMemoryBound(to: v4l2_capability.self)
            unsafe capability.pointee.capabilities = UInt32(V4L2_CAP_VIDEO_CAPTURE_MPLANE | V4L2_CAP_STREAMING)
            return 0
        case CV4L2_G_FMT, CV4L2_S_FMT:
            let format = unsafe argument.assumingMemoryBound(to: v4l2_format.self)
            unsafe describe(&format.pointee.fmt.pix_mp)
            return 0
        case CV4L2_REQBUFS:
            unsafe argument.assumingMemoryBound(to: v4l2_requestbuffers.self).pointee.count = 1
            return 0
        case CV4L2_QUERYBUF, CV4L2_DQBUF:
            guard request == CV4L2_QUERYBUF || isQueued else { return EAGAIN }
            if request == CV4L2_DQBUF { isQueued = false }
            unsafe fill(argument.assumingMemoryBound(to: v4l2_buffer.self))
            return 0
        case CV4L2_QBUF:
            isQueued = true
            return 0
        case CV4L2_STREAMON, CV4L2_STREAMOFF: return 0
        default: return ENOTTY
        }
    }

    private func describe(_ format: inout v4l2_pix_format_mplane) {
        format.width = UInt32(wish.size.width)
        format.height = UInt32(wish.size.height)
        format.pixelformat = wish.pixelFormat.rawValue
        format.field = V4L2_FIELD_NONE.rawValue
        format.num_planes = UInt8(planes.count)
        unsafe withUnsafeMutableBytes(of: &format.plane_fmt) { bytes in
            let described = unsafe bytes.bindMemory(to: v4l2_plane_pix_format.self)
            for (number, plane) in planes.enumerated() {
                unsafe described[number].bytesperline = UInt32(plane.stride)
                unsafe described[number].sizeimage = UInt32(plane.room)
            }
        }
    }

    private func fill(_ buffer: UnsafeMutablePointer<v4l2_buffer>) {
        var start = 0
        for (number, plane) in planes.enumerated() {
            unsafe buffer.pointee.m.planes[number].length = UInt32(plane.room)
            unsafe buffer.pointee.m.planes[number].m.mem_offset = UInt32(start)
            unsafe buffer.pointee.m.planes[number].data_offset = UInt32(plane.before)
            unsafe buffer.pointee.m.planes[number].bytesused = UInt32(plane.used)
            start += V4L2Device.wholePages(plane.room)
        }
        unsafe buffer.pointee.index = 0
        unsafe buffer.pointee.length = UInt32(planes.count)
    }
}
