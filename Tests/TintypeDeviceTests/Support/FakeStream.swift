// SPDX-License-Identifier: Apache-2.0
import CV4L2
import Foundation
import Glibc
import TintypeModel

@testable import TintypeDevice

/// A driver's side of the streaming ioctls, with file-backed buffers: buffer n is filled with n, counted from 1, and a
/// queued buffer is filled at once.
final class FakeStream {
    static let pageSize = 4096
    let path = "/tmp/tintype-stream-\(UUID().uuidString)"
    /// Size of a buffer in pages.
    let pages: Int
    /// errno of `VIDIOC_STREAMON`; 0 for success.
    var refusal: CInt = 0
    /// Field of each buffer as `V4L2_FIELD_*`; empty for whole pictures.
    var fields: [v4l2_field] = []
    private var queued: [UInt32] = []

    /// The format of a picture that fills a buffer.
    var wish: CaptureFormat {
        let size = FrameSize(width: Self.pageSize, height: pages)
        return CaptureFormat(pixelFormat: .grey, size: size, interval: nil)
    }

    var waiting: Int { queued.count }

    init(pages: Int) { self.pages = pages }

    deinit { unsafe unlink(path) }

    /// Opens the file that replaces the node.
    func descriptor() throws -> CInt {
        var content = Data()
        for number in 0..<wantedBuffers { content += Data(repeating: UInt8(number + 1), count: bufferSize) }
        try content.write(to: URL(filePath: path))
        return unsafe path.withCString { unsafe cv4l2_open($0, O_RDWR | O_CLOEXEC) }
    }

    private var bufferSize: Int { pages * Self.pageSize }

    func answer(_ request: UInt, _ argument: UnsafeMutableRawPointer) -> CInt {
        switch request {
        case CV4L2_STREAMON: return refusal
        case CV4L2_REQBUFS, CV4L2_STREAMOFF: return 0
        case CV4L2_QUERYBUF:
            let buffer = unsafe argument.assumingMemoryBound(to: v4l2_buffer.self)
            unsafe buffer.pointee.length = UInt32(bufferSize)
            unsafe buffer.pointee.m.offset = buffer.pointee.index * UInt32(bufferSize)
            return 0
        case CV4L2_QBUF:
            unsafe queued.append(argument.assumingMemoryBound(to: v4l2_buffer.self).pointee.index)
            return 0
        case CV4L2_DQBUF:
            guard !queued.isEmpty else { return EAGAIN }
            let buffer = unsafe argument.assumingMemoryBound(to: v4l2_buffer.self)
            unsafe buffer.pointee.index = queued.removeFirst()
            unsafe buffer.pointee.bytesused = UInt32(bufferSize)
            let index = unsafe Int(buffer.pointee.index)
            unsafe buffer.pointee.field = (fields.indices.contains(index) ? fields[index] : V4L2_FIELD_NONE).rawValue
            return 0
        default: return ENOTTY
        }
    }
}
