// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestSupport
import Testing
import TintypeImaging
import TintypeModel

@testable import TintypeCapture

/// Stills of pictures so large that memory matters.
struct LargePictureTests {
    private static func render(
        _ jpeg: [UInt8],
        _ size: FrameSize,
        _ rendering: ImageOptions,
        _ integrity: Integrity = .strict
    ) throws(ImagingError) -> EncodedImage {
        var codecs = EncodingThreads.Codecs(clock: TestClock())
        return try codecs.render(Frame(jpeg, size), as: EncodingOptions(rendering, integrity: integrity))
    }

    // MARK: - 48 megapixels

    /// Reads a file without a second copy of its bytes.
    private static func read(_ path: String) throws -> [UInt8] {
        let handle = try FileHandle(forReadingFrom: URL(filePath: path))
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Int(try handle.seekToEnd()))
        try handle.seek(toOffset: 0)
        while let chunk = try handle.read(upToCount: 1 << 16), !chunk.isEmpty { bytes += chunk }
        return bytes
    }

    /// Inspects, renders and analyses a picture on an encoding thread, as for every still.
    private static func still(
        _ jpeg: [UInt8],
        _ size: FrameSize,
        _ rendering: ImageOptions
    ) async -> Result<EncodedImage, ImagingError> {
        let threads = EncodingThreads(count: 1)
        let options = EncodingOptions(rendering, integrity: .strict)
        return await withCheckedContinuation { continuation in
            threads.render(Frame(jpeg, size), as: options, remembering: AnalysisCache()) {
                continuation.resume(returning: $0)
            }
        }
    }

    // Memory is measured per process.
    @Test(.enabled(if: TestBuild.isOptimized, "the memory of optimised code is measured, as “make test” builds it"))
    func `a 320-pixel still of 48 megapixels fits in 24 MB`() async throws {
        try await withTemporaryFolder { folder in
            let file = "\(folder)/large.jpg"
            try Data(try Self.noise(FrameSize(width: 8000, height: 6000))).write(to: URL(filePath: file))
            let result = await #expect(
                processExitsWith: .success,
                observing: [\.standardOutputContent]
            ) { [file = file as String] in
                // A small still first maps the code pages, which vary by one or two megabytes.
                let small = FrameSize(width: 640, height: 480)
                _ = try await Self.still(try Self.noise(small), small, ImageOptions(width: 320)).get()
                try ProcessMemory.forgetPeak()
                let idle = try ProcessMemory.resident
                let jpeg = try Self.read(file)
                let size = FrameSize(width: 8000, height: 6000)
                let frame = try await Self.still(jpeg, size, ImageOptions(width: 320)).get()
                let peak = try ProcessMemory.peak
                try #require(frame.size == FrameSize(width: 320, height: 240))
                try #require(frame.verdict == .intact && frame.jpeg.count > 4000)
                print("48 MP: \(jpeg.count) bytes, peak \(peak - idle) kB above \(idle) kB")
                fflush(nil)
                guard peak - idle <= 24 << 10 else { exit(3) }
                // Drawing makes no second copy of the picture.
                guard peak - idle < 2 * jpeg.count >> 10 else { exit(4) }
                // A kernel that does not record the peak must not pass.
                guard peak - idle > jpeg.count >> 10 else { exit(5) }
            }
            let told = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
            print(told.split(separator: "\n").first { $0.hasPrefix("48 MP") } ?? "nothing was measured")
        }
    }

    /// A baseline picture with about as much detail as a photograph.
    private static func noise(_ size: FrameSize) throws -> [UInt8] {
        let layout = PictureLayout(pixelFormat: .yu12, size: size, bytesPerRow: size.width, color: .jfif)
        var state: UInt64 = 48
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        let row = (0..<size.width * 3).map { UInt8(110 + $0 % 97 + random(14)) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size.area * 3 / 2)
        for line in 0..<size.height {
            let start = random(size.width)
            bytes += row[start..<start + size.width].map { $0 &+ UInt8(line / 64) }
        }
        bytes += [UInt8](repeating: 120, count: size.area / 4) + [UInt8](repeating: 140, count: size.area / 4)
        var encoder = JPEGEncoder()
        return try unsafe encoder.encode(bytes.span.bytes, layout: layout, quality: 60)
    }

    // MARK: - Progressive

    private static let tooLarge = FrameSize(width: 5000, height: 4000)

    /// Headers of a progressive picture of 20 megapixels with only the beginning of its data.
    private static func progressive() throws -> [UInt8] {
        let small = FrameSize(width: 96, height: 64)
        let layout = PictureLayout(pixelFormat: .yu12, size: small, bytesPerRow: small.width, color: .jfif)
        var encoder = JPEGEncoder()
        let grey = [UInt8](repeating: 128, count: small.area * 3 / 2)
        var jpeg = try unsafe encoder.encode(grey.span.bytes, layout: layout, quality: 80)
        var place = 2
        while jpeg[place + 1] != 0xDA {
            if jpeg[place + 1] == 0xC0 {
                jpeg[place + 1] = 0xC2
                let sides = [tooLarge.height, tooLarge.width].flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
                jpeg.replaceSubrange(place + 5..<place + 9, with: sides)
            }
            place += 2 + Int(jpeg[place + 2]) * 256 + Int(jpeg[place + 3])
        }
        // First coefficient of each block only, as in the first scan of a progressive picture (T.81, G.1.1.1).
        let end = place + 2 + Int(jpeg[place + 2]) * 256 + Int(jpeg[place + 3])
        jpeg.replaceSubrange(end - 3..<end, with: [0, 0, 0])
        return jpeg
    }

    private static let drawn = [
        ImageOptions(width: 320), ImageOptions(turn: .quarter), ImageOptions(turn: .half),
        ImageOptions(flip: .vertical), ImageOptions(crop: CropRectangle("640x480+16+16")),
        ImageOptions(crop: CropRectangle("640x480+1+1"), isLossless: false), ImageOptions(overlay: "%F"),
    ]

    @Test(arguments: Integrity.allCases)
    func `rejects decoding a progressive picture above 16 megapixels`(_ integrity: Integrity) throws {
        let jpeg = try Self.progressive()
        for rendering in Self.drawn {
            let error = #expect(throws: ImagingError.self) {
                try Self.render(jpeg, Self.tooLarge, rendering, integrity)
            }
            guard case .refused(let problem) = error else {
                Issue.record("\(rendering): \(error.map(String.init(describing:)) ?? "made")")
                continue
            }
            #expect(problem.code == .configurationUnsupported)
            #expect(problem.detail.contains("is progressive and has 20.0 megapixels (5000x4000)"), "\(problem)")
            #expect(problem.remedy.contains("integrity tolerant"))
        }
    }

    @Test func `a large progressive picture is delivered only undecoded`() throws {
        let jpeg = try Self.progressive()
        for integrity in [Integrity.tolerant, .raw] {
            let made = try Self.render(jpeg, Self.tooLarge, ImageOptions(), integrity)
            #expect(made.jpeg == jpeg && made.size == Self.tooLarge && made.verdict == .sound)
        }
        let error = #expect(throws: ImagingError.self) { try Self.render(jpeg, Self.tooLarge, ImageOptions()) }
        guard case .refused = error else {
            Issue.record("\(error.map(String.init(describing:)) ?? "made")")
            return
        }
    }

    @Test func `rejects a large progressive picture without decoding it`() async {
        await #expect(processExitsWith: .success) {
            let jpeg = try Self.progressive()
            try ProcessMemory.forgetPeak()
            let idle = try ProcessMemory.resident
            for rendering in [ImageOptions()] + Self.drawn {
                guard case .failure(.refused) = await Self.still(jpeg, Self.tooLarge, rendering) else { exit(3) }
            }
            // The coefficients alone would take 60 MB.
            guard try ProcessMemory.peak - idle < 8 << 10 else { exit(4) }
        }
    }
}
