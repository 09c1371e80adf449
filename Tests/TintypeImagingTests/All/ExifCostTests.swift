// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Testing

@testable internal import TintypeImaging
@testable internal import TintypeModel

struct ExifCostTests {
    @Test func `EXIF data take less than 0.2 ms of a processor for a picture of 200 kB`() throws {
        let size = FrameSize(width: 80, height: 60)
        var jpeg = try SampleJPEG.baseline(size)
        // Behind the scan's header nothing is read: what stands there is of no account.
        jpeg.insert(contentsOf: [UInt8](repeating: 0x55, count: 200_000), at: jpeg.count - 2)
        let facts = ExifFacts(
            id: try #require(FrameID("0189f7e5-8d2a-7abc-8def-0123456789ab")),
            capturedAt: Timestamp(microseconds: 1_795_271_412_345_678),
            size: size,
            sequence: 4_294_967_295,
            verdict: .sound,
            camera: CameraIdentity(
                path: "/dev/video0",
                card: "HD Pro Webcam C920",
                driver: "uvcvideo",
                busInfo: "usb-0000:00:14.0-2",
                serial: "1234ABCD",
                manufacturer: "Lögitech ",
                product: "C920"
            ),
            reading: nil,
            position: GeoPosition(latitude: 1, longitude: 2)
        )
        let times = (0..<201).map { _ in
            var (begin, end) = (timespec(), timespec())
            unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin)
            let picture = facts.write(into: jpeg)
            unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end)
            #expect(picture.count > jpeg.count)
            return (end.tv_sec - begin.tv_sec) * 1_000_000_000 + end.tv_nsec - begin.tv_nsec
        }
        let median = times.sorted()[100]
        #expect(median < 200_000, "\(median) ns")
    }
}
