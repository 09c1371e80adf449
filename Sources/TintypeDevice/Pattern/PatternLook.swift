// SPDX-License-Identifier: Apache-2.0

/// What a pattern camera's controls do to its picture.
struct PatternLook: Hashable {
    /// 0 to 255; 128 leaves the picture as it is drawn.
    var brightness = 128
    /// Nothing but black, without code and clock: the shutter is closed.
    var isDark = false
}
