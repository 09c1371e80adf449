// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TintypeImaging
internal import TintypeModel

/// Share of the damage to one picture that was found, and the time for it.
struct DamageReport {
    /// Numbers of damages done and found.
    struct Tally {
        var done = 0
        var found = 0
        /// By libturbojpeg alone.
        var foundByDecoder = 0

        /// In percent.
        var share: Double { 100 * Double(found) / Double(max(1, done)) }
        var decoderShare: Double { 100 * Double(foundByDecoder) / Double(max(1, done)) }

        mutating func add(_ other: Tally) {
            done += other.done
            found += other.found
            foundByDecoder += other.foundByDecoder
        }
    }

    /// Both kinds of damage.
    struct Shares {
        var flips = Tally()
        var packets = Tally()

        mutating func add(_ other: Shares) {
            flips.add(other.flips)
            packets.add(other.packets)
        }

        func line(_ name: String) -> String {
            let columns = [packets.share, packets.decoderShare, flips.share, flips.decoderShare]
            return name.padding(toLength: 24, withPad: " ", startingAt: 0)
                + columns.map { String(format: "%12.2f", $0) }.joined()
        }
    }

    static let heading =
        "picture                  packets %   libjpeg %     flips %   libjpeg %     bytes  segments ms  strict ms  emptiness ms  libjpeg ms"

    let shares: Shares
    private let bytes: Int
    private let segmentsMs: Double
    private let strictMs: Double
    private let emptinessMs: Double
    private let decoderMs: Double

    /// Damages `jpeg`; the fault `learned`, which the picture has itself, is not counted as damage.
    init(of jpeg: [UInt8], rounds: Int, learned: PictureQuirk? = nil) throws {
        var inspector = JPEGInspector()
        var decoder = JPEGDecoder()
        let size = try JPEGHeader.read(jpeg.rawSpan).size
        func isFaulty(
            _ jpeg: [UInt8],
            _ inspector: inout JPEGInspector,
            _ depth: JPEGInspection.Depth = .entropy
        ) -> Bool {
            let seen = unsafe JPEGInspection(jpeg.span.bytes, expected: size, depth: depth, with: &inspector)
            return !seen.faults.isEmpty && (learned == nil || seen.quirks != Set([learned].compactMap(\.self)))
        }
        guard !isFaulty(jpeg, &inspector) else {
            throw ImagingError.notJPEG("it is damaged before anything is done to it")
        }
        bytes = jpeg.count
        segmentsMs = Self.median { _ = isFaulty(jpeg, &inspector, .segments) }
        strictMs = Self.median { _ = isFaulty(jpeg, &inspector) }
        emptinessMs = Self.median { _ = try? inspector.emptiness(of: jpeg.rawSpan) }
        decoderMs = Self.median { _ = unsafe try? decoder.warning(about: jpeg.span.bytes) }
        var noise = NoiseGenerator()
        let scan = Self.scan(of: jpeg)
        var shares = Shares()
        func note(_ damaged: [UInt8], in tally: inout Tally) {
            tally.done += 1
            if isFaulty(damaged, &inspector) { tally.found += 1 }
            let warning: String?? = unsafe try? decoder.warning(about: damaged.span.bytes)
            if warning != .some(nil) { tally.foundByDecoder += 1 }
        }
        for _ in 0..<rounds {
            var flipped = jpeg
            flipped[scan.lowerBound + Int(noise.uniform() * Double(scan.count))] ^= 1 << UInt8(noise.uniform() * 8)
            note(flipped, in: &shares.flips)
            let length = min(512 + Int(noise.uniform() * 2561), scan.count / 2)
            let start = scan.lowerBound + Int(noise.uniform() * Double(scan.count - length))
            var shorter = jpeg
            shorter.removeSubrange(start..<start + length)
            note(shorter, in: &shares.packets)
        }
        self.shares = shares
    }

    /// The picture with 1 to 10 surplus bytes before most of its restart markers, as of a Logitech C270; nil if it has
    /// none.
    static func withSurplusBytes(_ jpeg: [UInt8]) -> [UInt8]? {
        var noise = NoiseGenerator()
        let scan = scan(of: jpeg)
        var odd = Array(jpeg[..<scan.lowerBound])
        for place in scan {
            if jpeg[place] == 0xFF, (0xD0...0xD7).contains(jpeg[place + 1]), noise.uniform() < 0.8 {
                for _ in 0...Int(noise.uniform() * 10) { odd.append(UInt8(noise.uniform() * 255)) }
            }
            odd.append(jpeg[place])
        }
        return odd.count > scan.upperBound ? odd + jpeg[scan.upperBound...] : nil
    }

    func line(_ name: String) -> String {
        shares.line(name)
            + String(format: "%10d%13.3f%11.2f%14.3f%12.2f", bytes, segmentsMs, strictMs, emptinessMs, decoderMs)
    }

    private static func median(_ work: () -> Void) -> Double {
        (0..<41).map { _ in ThreadClock.milliseconds(work) }.sorted()[20]
    }

    /// From behind the first scan header to EOI.
    private static func scan(of jpeg: [UInt8]) -> Range<Int> {
        var place = 2
        while place + 4 <= jpeg.count {
            let isScan = jpeg[place + 1] == 0xDA
            place += 2 + Int(jpeg[place + 2]) << 8 + Int(jpeg[place + 3])
            if isScan { break }
        }
        return place..<max(place, jpeg.count - 2)
    }
}
