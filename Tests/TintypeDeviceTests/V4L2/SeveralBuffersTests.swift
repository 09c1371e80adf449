// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

@testable import TintypeDevice

struct SeveralBuffersTests {
    /// Returns NV12M with rows of 80 bytes; the chroma data begins 128 bytes into its buffer.
    private func nv12() throws -> FakePlanes {
        let luma = FakePlanes.Plane(stride: 80, room: 80 * 48 + 500, used: 80 * 48)
        let chroma = FakePlanes.Plane(stride: 96, room: 128 + 96 * 24, before: 128, used: 128 + 96 * 24)
        return FakePlanes(try #require(FourCC("NM12")), [luma, chroma])
    }

    private func frame(of device: V4L2Device) throws -> (bytes: [UInt8], isShort: Bool) {
        #expect(try device.start() == 1)
        var drain = try device.dequeue()
        if let lease = drain.newest.take() { return (lease.copiedBytes(), false) }
        guard let lease = drain.damaged.take() else { throw OpenDevice.NoFrame(path: device.identity.path) }
        return (lease.copiedBytes(), lease.stamp.faults.contains(.short))
    }

    @Test func `joins planes in separate buffers into one frame`() throws {
        let driver = try nv12()
        let device = try driver.device()
        let granted = try device.configure(driver.wish, crop: nil)
        #expect(granted.format.pixelFormat == FourCC("NM12") && granted.layout.pixelFormat == .nv12)
        let (luma, chroma) = (granted.layout.planes[0], granted.layout.planes[1])
        #expect(luma.start == 0 && luma.stride == 80 && luma.used == 64 && luma.rows == 48)
        #expect(chroma.start == 8192 && chroma.stride == 96 && chroma.used == 64 && chroma.rows == 24)
        let (bytes, isShort) = try frame(of: device)
        #expect(!isShort && bytes.count == granted.layout.byteCount)
        #expect(bytes[..<(80 * 48)].allSatisfy { $0 == 1 })
        #expect(bytes[chroma.start...].allSatisfy { $0 == 2 })
        device.stop()
        #expect(try Mappings.count(of: driver.path) == 0)
    }

    @Test func `a frame with a short or empty plane is short`() throws {
        let driver = try nv12()
        driver.planes[1].used -= 96
        let short = try driver.device()
        let need = try #require(try short.configure(driver.wish, crop: nil).layout.byteCount)
        let last = try frame(of: short)
        #expect(last.isShort && last.bytes.count == need - 96)
        driver.planes[0].used = 0
        let empty = try driver.device()
        _ = try empty.configure(driver.wish, crop: nil)
        let first = try frame(of: empty)
        #expect(first.isShort && first.bytes.isEmpty)
    }

    @Test(arguments: [(1_000_000, 2_000_000), (4000, 100), (128, Int(UInt32.max))])
    func `clamps plane offsets and lengths to the buffer`(_ before: Int, _ used: Int) throws {
        let driver = try nv12()
        let device = try driver.device()
        (driver.planes[1].before, driver.planes[1].used) = (before, used)
        let layout = try device.configure(driver.wish, crop: nil).layout
        let (bytes, isShort) = try frame(of: device)
        #expect(isShort == (before != 128) && bytes.count == (isShort ? layout.planes[1].start : layout.byteCount))
    }

    @Test func `rejects plane buffers that do not fit the format`() throws {
        let driver = try nv12()
        driver.planes[1].room = 96 * 23
        expectRefusal("its buffers have 4340 and 2208 bytes, in which no picture of 64x48 in NV12 has room.") {
            try driver.configure()
        }
        let one = FakePlanes(.nv12, driver.planes)
        expectRefusal("NV12 comes in several buffers here.") { try one.configure() }
    }

    @Test func `applies data_offset and bytesperline of a single plane`() throws {
        let plane = FakePlanes.Plane(stride: 160, room: 32 + 160 * 48, before: 32, used: 32 + 160 * 48)
        let driver = FakePlanes(.yuyv, [plane])
        let device = try driver.device()
        let granted = try device.configure(driver.wish, crop: nil)
        #expect(granted.layout.bytesPerRow == 160)
        let (bytes, isShort) = try frame(of: device)
        #expect(!isShort && bytes == [UInt8](repeating: 1, count: 160 * 48))
    }

    @Test(arguments: [(160, 160 * 48, 160), (192, 128 * 48, 128), (0, 128 * 48, 128), (192, 0, 192)])
    func `assumes unpadded rows if bytesperline exceeds the buffer`(
        _ stride: Int,
        _ room: Int,
        _ taken: Int
    ) throws {
        let plane = FakePlanes.Plane(stride: stride, room: room, used: room)
        #expect(try FakePlanes(.yuyv, [plane]).configure().layout.bytesPerRow == taken)
    }

    @Test func `rejects buffers too small for a picture`() throws {
        let plane = FakePlanes.Plane(stride: 128, room: 128 * 47, used: 0)
        expectRefusal("its buffers have 6016 bytes, in which no picture of 64x48 in YUYV has room.") {
            try FakePlanes(.yuyv, [plane]).configure()
        }
    }
}
