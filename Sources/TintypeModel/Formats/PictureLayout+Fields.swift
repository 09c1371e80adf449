// SPDX-License-Identifier: Apache-2.0

/// What interlaced video does to a layout.
extension PictureLayout {
    /// Rows that a buffer has of the picture: half of them where it has one field.
    package var storedRows: Int { fields == .alternating ? (size.height + 1) / 2 : size.height }

    /// The layout of the same bytes as a whole picture with the rows that are there.
    package var stored: PictureLayout {
        var layout = self
        layout.fields = .whole
        layout.size.height = storedRows
        return layout
    }

    /// The layout of the picture that is made of both fields, or of one: with its planes in one buffer, but for what is
    /// left as it lies.
    package var whole: PictureLayout {
        var layout = self
        layout.fields = .whole
        if deinterlaced != nil, deinterlaced != .weave { layout.places = [] }
        return layout
    }

    /// Whether its fields can be taken apart: those of JPEG and of formats that libv4lconvert reads cannot.
    package var hasRows: Bool { !pixelFormat.isJPEG && !pixelFormat.isConverted }

    /// What is made of interlaced video; nil for whole pictures.
    package var deinterlaced: Deinterlacing? {
        switch fields {
        case .whole: nil
        case .woven where !hasRows: .weave
        // Numbers of two bytes cannot be mixed byte by byte.
        case .woven: deinterlacing == .blend && pixelFormat.isDeepGrey ? .double : deinterlacing
        case .alternating: .double
        }
    }
}
