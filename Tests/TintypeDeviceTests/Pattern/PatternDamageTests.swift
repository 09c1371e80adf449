// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeImaging
import TintypeModel

@testable import TintypeDevice

struct PatternDamageTests {
    private static let size = FrameSize(width: 256, height: 96)

    private func picture() throws -> [UInt8] {
        var encoder = JPEGEncoder()
        let layout = PictureLayout(pixelFormat: .grey, size: Self.size, bytesPerRow: 256, color: .jfif)
        let pixels = (0..<256 * 96).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 6) }
        return try encoder.encode(pixels.rawSpan, layout: layout, quality: 85)
    }

    @Test func `a damage share hits its percentage of frames reproducibly`() {
        let share = PatternDamage.Share(percent: 10, seed: 42)
        let damages = (0..<20_000).map { share.damage(to: $0, isJPEG: true) }
        let hit = damages.compactMap(\.self)
        #expect((1800...2200).contains(hit.count))
        for way in PatternDamage.allCases { #expect(hit.count { $0 == way } > 100, "\(way)") }
        #expect((0..<20_000).map { share.damage(to: $0, isJPEG: true) } == damages)
        let other = PatternDamage.Share(percent: 10, seed: 43)
        #expect((0..<20_000).map { other.damage(to: $0, isJPEG: true) } != damages)
        let pixels = Set((0..<20_000).compactMap { share.damage(to: $0, isJPEG: false) })
        #expect(pixels == [.flagged, .short, .repeated])
        #expect((0..<100).allSatisfy { PatternDamage.Share(percent: 0, seed: 1).damage(to: $0, isJPEG: true) == nil })
    }

    @Test func `strict inspection detects every kind of damage`() throws {
        let jpeg = try picture()
        var inspector = JPEGInspector()
        let whole = JPEGInspection(jpeg.rawSpan, expected: Self.size, depth: .entropy, with: &inspector)
        #expect(whole.faults.isEmpty)
        for way in PatternDamage.allCases {
            for number in 0..<50 {
                guard let damaged = way.applied(to: jpeg, throw: UInt64(number)) else {
                    #expect([.flagged, .short, .repeated].contains(way))
                    continue
                }
                let seen = JPEGInspection(damaged.rawSpan, expected: Self.size, depth: .entropy, with: &inspector)
                #expect(!seen.faults.isEmpty, "\(way), \(number)")
            }
        }
    }
}

struct PatternNoiseTests {
    @Test(arguments: ["GREY:320x96@100", "YUYV:320x96@100", "NV12:320x96@100"])
    func `noise is bounded, on luma only and new in each frame`(pattern: String) async throws {
        let (noisy, clean) = try await DeviceStage.perform {
            func frames(_ options: String) throws -> [[UInt8]] {
                let open = try OpenDevice.streaming(TestDevice(pattern: pattern + ",frozen" + options))
                return [try open.nextFrame().copiedBytes(), try open.nextFrame().copiedBytes()]
            }
            return (try frames(",noise=9"), try frames("")[0])
        }
        #expect(noisy[0] != noisy[1])
        for frame in noisy {
            let off = zip(frame, clean).map { Int($0) - Int($1) }
            #expect(off.min() == -9 && off.max() == 9)
            let isLuma: (Int) -> Bool = { pattern.hasPrefix("YUYV") ? $0 % 2 == 0 : $0 < 320 * 96 }
            #expect(off.indices.allSatisfy { isLuma($0) || off[$0] == 0 })
            #expect(abs(off.reduce(0, +)) < 320 * 96 / 10)
        }
    }
}
