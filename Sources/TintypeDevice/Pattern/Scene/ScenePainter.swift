// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeModel

/// Draws a scene: a background mixed from those of two lights, with noise, and figures on it.
struct ScenePainter {
    private let scene: PatternScene
    private let layout: PictureLayout
    private let look: PatternLook
    private let period: Duration
    /// One for each of ``SceneLight/all``.
    private let backgrounds: [[UInt8]]
    private let noise: [Int8]

    /// Of ``noise``, without the longest row.
    private static let noiseCount = 1 << 16
    private static let grain: Float = 6

    init(_ scene: PatternScene, _ layout: PictureLayout, _ look: PatternLook, period: Duration) {
        (self.scene, self.layout, self.look, self.period) = (scene, layout, look, period)
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        noise = (0..<Self.noiseCount + layout.bytesPerRow).map { _ in
            // xorshift64; the difference of two numbers is small more often than large.
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int8(truncatingIfNeeded: (state & 63) &- (state >> 6 & 63))
        }
        backgrounds = SceneLight.all.map { light in
            var pixels = [UInt8](repeating: 0, count: layout.byteCount ?? 0)
            unsafe pixels.withUnsafeMutableBytes { bytes in
                let canvas = unsafe PatternCanvas(layout, bytes)
                scene.drawBackground(SceneBrush(canvas: canvas, look: look, light: light))
            }
            return pixels
        }
    }

    func paint(_ number: UInt32, at moment: Timestamp, into picture: inout MutableRawSpan) {
        let time = Double(number) * (period / .seconds(1))
        let light = SceneLight(at: time)
        unsafe picture.withUnsafeMutableBytes { target in
            unsafe drawBackground(Int(number), at: time, grain: Int16(light.lamps * Self.grain), into: target)
            let canvas = unsafe PatternCanvas(layout, target)
            let brush = SceneBrush(canvas: canvas, look: look, light: light)
            scene.drawFigures(brush, time, clock: Self.secondOfDay(moment))
        }
    }

    private func drawBackground(
        _ number: Int,
        at time: Double,
        grain: Int16,
        into target: UnsafeMutableRawBufferPointer
    ) {
        guard let lit = unsafe target.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        let (from, to, part) = SceneLight.mixture(at: time)
        let (stride, end) = (layout.bytesPerRow, backgrounds[from].count)
        for start in Swift.stride(from: 0, to: end, by: stride) {
            let shift = (start &+ number &* 104_729) & (Self.noiseCount - 1)
            let (place, weight) = ((start, shift, min(stride, end - start)), Int16(part * 128))
            unsafe Self.mix(backgrounds[from], backgrounds[to], noise, lit, place, weight, grain)
        }
    }

    /// Mixes `count` bytes from `start`, `weight` of 128 of them from `to`, with noise from `shift`.
    private static func mix(
        _ from: UnsafePointer<UInt8>,
        _ to: UnsafePointer<UInt8>,
        _ noise: UnsafePointer<Int8>,
        _ lit: UnsafeMutablePointer<UInt8>,
        _ place: (start: Int, shift: Int, count: Int),
        _ weight: Int16,
        _ grain: Int16
    ) {
        let (from, to) = unsafe (from + place.start, to + place.start)
        let (noise, lit) = unsafe (noise + place.shift, lit + place.start)
        // Wrapping arithmetic in 16 bits, for which the compiler has vectors.
        for index in 0..<place.count {
            let (one, other, noise) = unsafe (Int16(from[index]), Int16(to[index]), Int16(noise[index]))
            let value = one &+ ((other &- one) &* weight) &>> 7 &+ (noise &* grain) &>> 6
            unsafe lit[index] = UInt8(truncatingIfNeeded: min(max(0, value), 255))
        }
    }

    /// In the time zone of the process.
    private static func secondOfDay(_ moment: Timestamp) -> Int {
        var seconds = time_t(moment.microseconds / 1_000_000)
        var parts = unsafe tm()
        unsafe localtime_r(&seconds, &parts)
        return unsafe Int(parts.tm_hour * 3600 + parts.tm_min * 60 + parts.tm_sec)
    }
}
