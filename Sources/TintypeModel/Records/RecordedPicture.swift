// SPDX-License-Identifier: Apache-2.0

/// A format as a driver answers it: `v4l2_pix_format` or `v4l2_pix_format_mplane`, by the names of their members.
///
/// A driver tells all of it; what is missing is not known.
package struct RecordedPicture: Hashable, Codable, WireObject {
    package var pixelFormat: FourCC
    package var size: FrameSize
    package var field: UInt32?
    package var bytesPerLine: [UInt32]?
    package var sizeImage: [UInt32]?
    package var colorspace: UInt32?
    package var encoding: UInt32?
    package var quantization: UInt32?
    package var transfer: UInt32?

    /// A picture of which no more is known.
    package init(pixelFormat: FourCC, size: FrameSize) {
        self.pixelFormat = pixelFormat
        self.size = size
    }

    package static let summary = "A format as the driver answers it."
    package static let fields: [Field] = [
        Field("pixelFormat", \.pixelFormat, "The four characters of V4L2."),
        Field("size", \.size, "The size of the picture."),
        Field("field", \.field, "The number of the field order (V4L2_FIELD_*): 1 for whole pictures."),
        Field(
            "bytesPerLine",
            \.bytesPerLine,
            "The bytes from one row to the next, for each plane that has its own buffer."
        ),
        Field("sizeImage", \.sizeImage, "The bytes of a buffer, for each plane that has its own."),
        Field("colorspace", \.colorspace, "V4L2_COLORSPACE_*"),
        Field("encoding", \.encoding, "V4L2_YCBCR_ENC_*"),
        Field("quantization", \.quantization, "V4L2_QUANTIZATION_*"),
        Field("transfer", \.transfer, "V4L2_XFER_FUNC_*"),
    ]
}
