// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice

/// What a pattern camera's controls, and its own exposure and white balance, do to its picture.
struct PatternLook: Hashable {
    /// 0 to 255; 128 leaves the picture as it is drawn.
    var brightness = 128
    /// Nothing but black, without code and clock: the shutter is closed.
    var isDark = false
    /// The share of its light that the picture has, in percent.
    var exposure = 100
    /// Steps that Cb has too much and Cr too little.
    var cast = 0
}
