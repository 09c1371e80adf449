// SPDX-License-Identifier: Apache-2.0
import CV4L2
import Glibc
import TestSupport
import Testing
import TintypeModel
import TintypeSystem

@testable import TintypeDevice

struct V4L2StartingTests {
    /// Returns a configured device with one input, whose `VIDIOC_STREAMON` fails with `refusal`, and its driver.
    private func device(_ refusal: CInt) throws -> (V4L2Device, FakeCameraIoctls) {
        let driver = FakeCameraIoctls()
        let stream = FakeStream(pages: 1)
        stream.refusal = refusal
        driver.stream = stream
        var timings = v4l2_bt_timings()
        (timings.width, timings.height) = (UInt32(FakeStream.pageSize), 1)
        driver.timings = timings
        let device = try driver.device()
        _ = try device.selectInput(InputWish())
        _ = try device.configure(stream.wish, crop: nil)
        return (device, driver)
    }

    @Test(arguments: [
        (ENOLINK, ProblemCode.configurationUnsupported, "behind an image processor"),
        (EPIPE, .cameraFault, "VIDIOC_STREAMON on /dev/fake: broken pipe."),
        (ENOLCK, .noSignal, "cannot lock to it"),
    ])
    func `maps a STREAMON error to its cause`(_ refusal: CInt, _ code: ProblemCode, _ words: String) throws {
        let (device, _) = try device(refusal)
        let error = #expect(throws: DeviceError.self) { try device.start() }
        #expect(error?.problem.code == code)
        #expect(error?.problem.detail.contains(words) == true, "\(error?.problem.detail ?? "")")
    }

    @Test(arguments: [ENOLINK, EPIPE, EIO])
    func `reports a signal lost since the input was selected`(_ refusal: CInt) throws {
        let (device, driver) = try device(refusal)
        driver.status.after = UInt32(V4L2_IN_ST_NO_SIGNAL)
        let error = #expect(throws: DeviceError.self) { try device.start() }
        #expect(error?.problem.code == .noSignal)
        #expect(error?.problem.cause == .noSignal)
    }
}

struct V4L2StoppingTests {
    private func start(_ stream: FakeStream) throws -> V4L2Device {
        let driver = FakeCameraIoctls()
        driver.stream = stream
        let device = try driver.device()
        _ = try device.configure(stream.wish, crop: nil)
        #expect(try device.start() == wantedBuffers)
        return device
    }

    private func lease(of device: V4L2Device) throws -> FrameLease {
        var drain = try device.dequeue()
        guard let lease = drain.newest.take() else { throw OpenDevice.NoFrame(path: device.identity.path) }
        return lease
    }

    @Test func `a lease keeps a copy of its bytes after stop`() throws {
        let stream = FakeStream(pages: 3)
        let device = try start(stream)
        let lease = try lease(of: device)
        #expect(try Mappings.count(of: stream.path) == wantedBuffers)
        device.stop()
        #expect(try Mappings.count(of: stream.path) == 0)
        #expect(lease.copiedBytes() == [UInt8](repeating: UInt8(wantedBuffers), count: 3 * FakeStream.pageSize))
    }

    @Test func `undated buffers queued at stream start may precede it`() throws {
        let device = try start(FakeStream(pages: 1))
        for isFirst in [true, false] {
            var drain = try device.dequeue()
            guard let lease = drain.newest.take() else { throw OpenDevice.NoFrame(path: device.identity.path) }
            let stamp = lease.stamp
            #expect(stamp.source == .dequeue)
            #expect(stamp.mayPrecedeStream == isFirst)
            #expect(isFirst ? drain.taken == wantedBuffers : stamp.ordinal == UInt64(wantedBuffers + drain.taken))
        }
    }

    @Test func `reading a lease stays consistent while the device stops`() async throws {
        for _ in 0..<20 {
            let device = try start(FakeStream(pages: 256))
            let reader = LeaseReader(try lease(of: device), expecting: UInt8(wantedBuffers))
            try reader.begin()
            try await eventually("the first round") { reader.rounds > 0 }
            device.stop()
            let before = reader.rounds
            // The round in progress and a whole round on the copy.
            try await eventually("a whole round of the copy") { reader.rounds > before + 1 }
            reader.end.raise()
            try await eventually("the end of the reader") { reader.ended.isRaised }
            #expect(reader.strangeBytes == 0)
        }
    }
}
