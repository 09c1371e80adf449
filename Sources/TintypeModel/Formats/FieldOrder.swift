// SPDX-License-Identifier: Apache-2.0

/// Order of the fields (even and odd rows, exposed half a frame apart) of interlaced video (`enum v4l2_field`).
package enum FieldOrder: Hashable, Sendable {
    /// All rows of one exposure (`V4L2_FIELD_NONE`), or a single field delivered as a picture no taller than a field
    /// (`V4L2_FIELD_TOP`, `V4L2_FIELD_BOTTOM`).
    case whole
    /// Both fields in one buffer, rows alternating (`V4L2_FIELD_INTERLACED`, `_TB`, `_BT`).
    case woven
    /// One field per buffer with half the rows, alternating between top and bottom (`V4L2_FIELD_ALTERNATE`).
    case alternating
}

/// Conversion of interlaced video, whose two fields are exposed at different times.
package enum Deinterlacing: String, Hashable, Sendable, Codable, CaseIterable, WireType {
    /// Top field only, every row doubled: one exposure, half the vertical resolution.
    case double
    /// Each row mixed with its neighbours, 1 : 2 : 1: moving objects appear twice and faint.
    case blend
    /// Both fields unchanged: full resolution for still scenes, comb artefacts on motion.
    case weave
}

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

    /// Deinterlaced picture with all planes in one buffer, unless the fields are left as stored (`weave`).
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
