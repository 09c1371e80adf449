// SPDX-License-Identifier: Apache-2.0

/// Why a frame was not converted.
package enum ConversionError: Error, Hashable, Sendable {
    /// The frame has fewer bytes than its layout needs; libv4lconvert was not called.
    case short(have: Int, need: Int)
    /// libv4lconvert made no picture of the frame; the text says why, beginning with a small letter.
    case damaged(String)
}

extension ConversionError: CustomStringConvertible {
    /// One sentence, without the camera's name: the caller knows it.
    package var description: String {
        switch self {
        case .short(let have, let need): "The frame has \(have) bytes where its layout needs \(need)."
        case .damaged(let why): "The frame could not be converted: \(why)."
        }
    }
}
