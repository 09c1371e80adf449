// SPDX-License-Identifier: Apache-2.0
internal import Testing
internal import TintypeImaging

@testable internal import TintypeModel

/// EXIF facts of a picture from a typical webcam.
enum SampleFacts {
    static let size = FrameSize(width: 80, height: 60)
    static let camera = CameraIdentity(
        path: "/dev/video0",
        card: "HD Pro Webcam C920",
        driver: "uvcvideo",
        busInfo: "usb-0000:00:14.0-2",
        serial: "1234ABCD",
        manufacturer: "Lögitech ",
        product: "C920"
    )

    static func make(
        _ camera: CameraIdentity? = camera,
        _ exposure: CameraReading? = nil,
        at position: GeoPosition? = nil
    ) throws -> ExifFacts {
        var facts = ExifFacts(
            id: try #require(FrameID("0189f7e5-8d2a-7abc-8def-0123456789ab")),
            capturedAt: Timestamp(microseconds: 1_795_271_412_345_678),
            size: size,
            sequence: 4_294_967_295,
            verdict: .sound
        )
        (facts.camera, facts.reading, facts.position) = (camera, exposure, position)
        return facts
    }
}
