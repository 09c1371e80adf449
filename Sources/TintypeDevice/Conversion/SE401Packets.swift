// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// The packets of a SE401 frame, looked at before they are decoded: libv4lconvert 1.22 takes a packet of no pixels for one
/// without an end, and writes behind the picture until the packet's bits are used up.
///
/// Each packet begins with four bytes: two bits of flags, 14 bits of how many pixels, and 16 of how many bits they take; up
/// to a whole word follow the bits. Source: the format's decoder in v4l-utils, which is its only documentation.
enum SE401Packets {
    /// What is wrong with the packets, beginning with a small letter; nil where libv4lconvert finds it by itself.
    static func objection(to bytes: RawSpan) -> String? {
        var at = 0
        while at + 4 < bytes.byteCount {
            let pixels = (bytes.byte(at) & 0x3F) << 8 | bytes.byte(at + 1)
            guard pixels > 0 else { return "its packet at byte \(at) has no pixels" }
            let bits = bytes.byte(at + 2) << 8 | bytes.byte(at + 3)
            at += 4 + 2 * ((bits + 15) / 16)
        }
        return nil
    }
}
