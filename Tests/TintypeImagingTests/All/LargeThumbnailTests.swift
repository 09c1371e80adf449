// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeImaging

struct LargeThumbnailTests {
    // Runs in its own process, because peak memory is counted for a whole process.
    @Test func `a thumbnail of 48 megapixels takes at most 24 MB`() async throws {
        let file = "/tmp/tintype-\(UUID().uuidString).jpg"
        defer { try? FileManager.default.removeItem(atPath: file) }
        try Data(try Self.large()).write(to: URL(filePath: file))
        let result = await #expect(
            processExitsWith: .success,
            observing: [\.standardOutputContent]
        ) { [file = file as String] in
            try ProcessMemory.forgetPeak()
            let idle = try ProcessMemory.resident
            let jpeg = try Data(contentsOf: URL(filePath: file))
            let thumbnail = try unsafe jpeg.withUnsafeBytes { bytes in
                try unsafe JPEGThumbnail.make(of: bytes.bytes, width: 320)
            }
            let peak = try ProcessMemory.peak
            let size = try JPEGHeader.read(thumbnail.rawSpan).size
            try #require(size == FrameSize(width: 320, height: 240) && thumbnail.count > 4000)
            print("48 MP: \(jpeg.count) bytes, peak \(peak - idle) kB above \(idle) kB")
            // Includes the bytes of the picture.
            guard peak - idle <= 24 << 10 else { exit(3) }
            // Guards against a kernel that does not record the peak.
            guard peak - idle > jpeg.count >> 10 else { exit(4) }
        }
        let told = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
        print(told.split(separator: "\n").first { $0.hasPrefix("48 MP") } ?? "nothing was measured")
    }

    /// Baseline picture of 8000x6000 of about ten megabytes, like a photograph.
    private static func large() throws -> [UInt8] {
        let size = FrameSize(width: 8000, height: 6000)
        let layout = PictureLayout(.yu12, size)
        var generator = SeededGenerator(seed: 48)
        var row = (0..<size.width * 3).map { UInt8(110 + $0 % 97) }
        for index in row.indices { row[index] &+= UInt8.random(in: 0...13, using: &generator) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size.area * 3 / 2)
        for line in 0..<size.height {
            let start = Int.random(in: 0..<size.width, using: &generator)
            bytes += row[start..<start + size.width].map { $0 &+ UInt8(line / 64) }
        }
        bytes += [UInt8](repeating: 120, count: size.area / 4) + [UInt8](repeating: 140, count: size.area / 4)
        var encoder = JPEGEncoder()
        return try encoder.encode(bytes.rawSpan, layout: layout, quality: 60)
    }
}
