// SPDX-License-Identifier: Apache-2.0

/// Layout of interlaced video.
extension PictureLayout {
    /// Rows of the picture in one buffer: half of them if a buffer holds one field.
    package var storedRows: Int { fields == .alternating ? (size.height + 1) / 2 : size.height }

    /// Same bytes described as a non-interlaced picture of the stored rows.
    package var stored: PictureLayout {
        var layout = self
        layout.fields = .whole
        layout.size.height = storedRows
        return layout
    }

    /// Layout of the deinterlaced picture.
    ///
    /// All planes are in one buffer, unless the fields are left as stored (`weave`).
    package var whole: PictureLayout {
        var layout = self
        layout.fields = .whole
        if deinterlaced != nil, deinterlaced != .weave { layout.places = [] }
        return layout
    }

    /// True if the fields can be separated: not for JPEG and formats read by libv4lconvert.
    package var hasRows: Bool { !pixelFormat.isJPEG && !pixelFormat.isConverted }

    /// Conversion applied to interlaced video; nil for progressive pictures.
    package var deinterlaced: Deinterlacing? {
        switch fields {
        case .whole: nil
        case .woven where !hasRows: .weave
        // 16-bit samples cannot be blended byte by byte.
        case .woven: deinterlacing == .blend && pixelFormat.isDeepGrey ? .double : deinterlacing
        case .alternating: .double
        }
    }
}
