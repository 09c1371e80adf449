// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

/// Why a picture could not be made, read or passed on.
package enum ImagingError: Error, Equatable, Sendable {
    /// No still can be made from pixels of this format.
    case unsupported(FourCC)
    /// The buffer holds fewer bytes than its layout says; nothing was read outside it.
    case short(have: Int, need: Int)
    /// The bytes are no JPEG picture, or a damaged one; the text says what is wrong, beginning with a small letter.
    case notJPEG(String)
    /// The JPEG picture ends before its EOI marker.
    case truncated
    /// The JPEG picture is of another size than was agreed on with the driver.
    case sizeMismatch(FrameSize, expected: FrameSize)
    /// The entropy-coded data of the JPEG picture is damaged; the text says how, beginning with a small letter.
    case entropy(String)
    /// The driver says that something is wrong with the frame.
    case delivered(PictureFault)
    /// The request cannot be encoded or libturbojpeg refused it; the text says why.
    case encoder(String)
    /// libv4lconvert made no picture of the frame.
    case converter
    /// The picture looks as the request refuses it; nothing else is wrong with it.
    case rejected(Appearance)
    /// What was asked for cannot be made of this picture, nor of any other like it: nothing is wrong with the picture.
    case refused(Problem)
}

extension ImagingError: CustomStringConvertible {
    /// One sentence, without the camera's name: the caller knows it.
    package var description: String {
        switch self {
        case .unsupported(let format): "No still can be made from pixel format \(format)."
        case .short(let have, let need): "The picture has \(have) bytes where its layout needs \(need)."
        case .notJPEG(let why): "The bytes are not a sound JPEG picture: \(why)."
        case .truncated: "The JPEG picture is cut short: it ends before its EOI marker."
        case .sizeMismatch(let size, let expected): "The JPEG picture is \(size) where \(expected) was granted."
        case .entropy(let why): "The data of the JPEG picture is damaged: \(why)."
        case .delivered(.repeated): "The frame has the number of the one before it."
        case .delivered(.overwritten): "The frame may have been overwritten by a later one while it was copied."
        case .delivered(let fault): "The driver calls the frame damaged (\(fault.rawValue))."
        case .encoder(let why): "The picture could not be encoded: \(why)."
        case .converter: "The frame could not be converted."
        case .rejected(let look): "The picture is \(look.rawValue), which the request rejects."
        case .refused(let problem): problem.detail
        }
    }
}

extension ImagingError {
    /// What is wrong with the frame; nil where the trouble is not the frame's.
    package var fault: PictureFault? {
        switch self {
        case .short: .short
        case .notJPEG, .converter: .notJPEG
        case .truncated: .truncated
        case .sizeMismatch: .size
        case .entropy: .entropy
        case .delivered(let fault): fault
        case .unsupported, .encoder, .rejected, .refused: nil
        }
    }

    /// Under which name a frame that met this is counted as passed over.
    package var skipReason: SkipReason {
        switch self {
        case .rejected(.black): .black
        case .rejected(.uniform): .uniform
        case .rejected(.frozen): .frozen
        default: .corrupt
        }
    }
}
