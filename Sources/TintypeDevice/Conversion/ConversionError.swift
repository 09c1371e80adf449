// SPDX-License-Identifier: Apache-2.0

/// Why a frame was not converted.
package enum ConversionError: Error, Hashable, Sendable {
    /// The frame has fewer bytes than its layout needs; libv4lconvert was not called.
    case short(have: Int, need: Int)
    /// libv4lconvert made no picture of the frame: of one that has all of its bytes, it had no memory.
    case failed
}
