// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeModel

@testable import TintypeDevice

struct V4L2StoppingTests {
    private func start(_ stream: FakeStream) throws -> V4L2Device {
        let driver = FakeCameraIoctls()
        driver.stream = stream
        let device = try driver.device()
        let size = FrameSize(width: FakeStream.pageSize, height: stream.pages)
        _ = try device.configure(CaptureFormat(pixelFormat: .grey, size: size, interval: nil), crop: nil)
        #expect(try device.start() == wantedBuffers)
        return device
    }

    private func lease(of device: V4L2Device) throws -> FrameLease {
        var drain = try device.dequeue()
        guard let lease = drain.newest.take() else { throw OpenDevice.NoFrame(path: device.identity.path) }
        return lease
    }

    @Test func `a lease keeps its bytes after stop, in memory that is the driver's no more`() throws {
        let stream = FakeStream(pages: 3)
        let device = try start(stream)
        let lease = try lease(of: device)
        #expect(try Mappings.count(of: stream.path) == wantedBuffers)
        device.stop()
        #expect(try Mappings.count(of: stream.path) == 0)
        #expect(lease.copiedBytes() == [UInt8](repeating: UInt8(wantedBuffers), count: 3 * FakeStream.pageSize))
    }

    @Test func `without a lease nothing is mapped after stop`() throws {
        let stream = FakeStream(pages: 1)
        let device = try start(stream)
        device.stop()
        #expect(try Mappings.count(of: stream.path) == 0)
    }

    @Test func `whoever reads a lease while its device stops sees the same bytes all the time`() async throws {
        for _ in 0..<20 {
            let device = try start(FakeStream(pages: 256))
            let reader = LeaseReader(try lease(of: device), expecting: UInt8(wantedBuffers))
            reader.begin()
            try await eventually("the first round") { reader.rounds > 0 }
            device.stop()
            let before = reader.rounds
            // The round that may have been going on, and a whole one of the copy.
            try await eventually("a whole round of the copy") { reader.rounds > before + 1 }
            reader.end()
            try await eventually("the end of the reader") { reader.hasEnded }
            #expect(reader.strangeBytes == 0)
        }
    }
}
