// SPDX-License-Identifier: Apache-2.0
import CV4L2
import Foundation
import TestSupport
import Testing
import TintypeModel

@testable import TintypeDevice

struct V4L2CapabilityTests {
    private static let capture = UInt32(V4L2_CAP_VIDEO_CAPTURE)
    private static let several = UInt32(V4L2_CAP_VIDEO_CAPTURE_MPLANE)
    private static let streaming = UInt32(V4L2_CAP_STREAMING)

    private func capability(_ capabilities: UInt32, driver: String = "fake") throws -> V4L2Capability {
        let fake = FakeCameraIoctls()
        fake.capabilities = capabilities
        fake.driver = driver
        return try V4L2Capability(fake.node())
    }

    @Test func `a node that captures and streams is a camera`() throws {
        #expect(try capability(Self.capture | Self.streaming).isCapture)
        #expect(try capability(Self.several | Self.streaming).isCapture)
        // v4l2loopback without exclusive_caps.
        #expect(try capability(Self.capture | UInt32(V4L2_CAP_VIDEO_OUTPUT) | Self.streaming).isCapture)
        // unicam before V4L2_CAP_IO_MC, with an HDMI receiver behind it.
        #expect(try capability(Self.capture | Self.streaming, driver: "unicam").isCapture)
    }

    @Test(arguments: [
        V4L2_CAP_VIDEO_OUTPUT, V4L2_CAP_META_CAPTURE, V4L2_CAP_VIDEO_M2M, V4L2_CAP_VIDEO_M2M_MPLANE,
        V4L2_CAP_VBI_CAPTURE, V4L2_CAP_VIDEO_M2M | V4L2_CAP_VIDEO_CAPTURE,
        V4L2_CAP_VIDEO_M2M_MPLANE | V4L2_CAP_VIDEO_CAPTURE_MPLANE,
    ])
    func `outputs, metadata nodes, codecs and scalers are not cameras`(_ flags: Int32) throws {
        let found = try capability(UInt32(flags) | Self.streaming)
        #expect(!found.isCapture && !found.needsPipeline)
    }

    @Test(arguments: ["isys", "rp1-cfe", "unicam"])
    func `a node with V4L2_CAP_IO_MC needs a pipeline`(_ driver: String) throws {
        let found = try capability(Self.capture | UInt32(bitPattern: V4L2_CAP_IO_MC) | Self.streaming, driver: driver)
        #expect(!found.isCapture && found.needsPipeline)
    }

    @Test(arguments: ["bcm2835-isp", "rkisp1", "ipu3-imgu"])
    func `rejects an image signal processor and recommends libcamera`(_ driver: String) throws {
        let fake = FakeCameraIoctls()
        fake.capabilities = Self.several | Self.streaming
        fake.driver = driver
        let error = #expect(throws: DeviceError.self) { try fake.device() }
        #expect(error == .needsPipeline(path: "/dev/fake", card: "", driver: driver))
        #expect(error?.problem.code == .configurationUnsupported)
        #expect(error?.problem.remedy.contains("libcamera") == true)
    }

    @Test func `rejects a path that is not a video device`() throws {
        try inTemporaryFolder { folder in
            let file = folder + "/film.mp4"
            try Data([1, 2, 3]).write(to: URL(filePath: file))
            for path in [file, folder, "/dev/null"] {
                #expect(throws: DeviceError.notVideo(path: path)) { try NodeAnswer.query(path, DriverCalls()) }
            }
            #expect(DeviceError.notVideo(path: file).problem.detail == "\(file) is not a video device.")
        }
    }
}
