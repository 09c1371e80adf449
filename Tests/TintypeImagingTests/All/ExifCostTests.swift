// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Testing

@testable internal import TintypeImaging
@testable internal import TintypeModel

struct ExifCostTests {
    @Test func `EXIF data take less than 0.2 ms of a processor for a picture of 200 kB`() throws {
        var jpeg = try SampleJPEG.baseline(SampleFacts.size)
        // Behind the scan's header nothing is read: what stands there is of no account.
        jpeg.insert(contentsOf: [UInt8](repeating: 0x55, count: 200_000), at: jpeg.count - 2)
        let facts = try SampleFacts.make(at: GeoPosition(latitude: 1, longitude: 2))
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
