// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

package enum ImagingError: Error, Equatable, Sendable, CustomStringConvertible {
    case unsupported(FourCC)
    /// Nothing was read outside the buffer.
    case short(have: Int, need: Int)
    /// Not a JPEG picture, or a damaged one; the text gives the reason and begins in lower case.
    case notJPEG(String)
    case truncated
    /// Differs from the format negotiated with the driver.
    case sizeMismatch(FrameSize, expected: FrameSize)
    /// The entropy-coded data is damaged; the text gives the reason and begins in lower case.
    case entropy(String)
    /// The entropy-coded data is complete, but has this many surplus bytes before its markers.
    case surplus(Int)
    case delivered(PictureFault)
    /// Parameters that cannot be encoded, or an error of libturbojpeg; the text gives the reason.
    case encoder(String)
    case converter
    /// The request rejects this appearance; the picture is otherwise intact.
    case rejected(ImageDefect)
    /// Impossible for this kind of picture; the picture itself is intact.
    case refused(Problem)

    /// One sentence without the camera's name, which the caller adds.
    package var description: String {
        switch self {
        case .unsupported(let format): "No still can be made from pixel format \(format)."
        case .short(let have, let need): "The picture has \(have) bytes where its layout needs \(need)."
        case .notJPEG(let why): "The bytes are not a sound JPEG picture: \(why)."
        case .truncated: "The JPEG picture is cut short: it ends before its EOI marker."
        case .sizeMismatch(let size, let expected): "The JPEG picture is \(size) where \(expected) was granted."
        case .entropy(let why): "The data of the JPEG picture is damaged: \(why)."
        case .surplus(let count): "The data of the JPEG picture has \(count) surplus bytes before its markers."
        case .delivered(.repeated): "The frame has the number of the one before it."
        case .delivered(.overwritten): "The frame may have been overwritten by a later one while it was copied."
        case .delivered(let fault): "The driver calls the frame damaged (\(fault.rawValue))."
        case .encoder(let why): "The picture could not be encoded: \(why)."
        case .converter: "The frame could not be converted."
        case .rejected(let look): "The picture is \(look.rawValue), which the request rejects."
        case .refused(let problem): problem.detail
        }
    }

    /// Nil if the frame is not the cause.
    package var fault: PictureFault? {
        switch self {
        case .short: .short
        case .notJPEG, .converter: .notJPEG
        case .truncated: .truncated
        case .sizeMismatch: .size
        case .entropy: .entropy
        case .surplus: .surplusBytes
        case .delivered(let fault): fault
        case .unsupported, .encoder, .rejected, .refused: nil
        }
    }

    /// Reason under which a frame with this error is counted as skipped.
    package var skipReason: SkipReason {
        switch self {
        case .rejected(.black): .black
        case .rejected(.uniform): .uniform
        case .rejected(.frozen): .frozen
        default: .corrupt
        }
    }
}
