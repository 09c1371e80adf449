// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

/// Which part of a picture becomes a still, which way round and how large: a ``StillRendering`` once the size of the
/// camera's picture is known.
package struct GeometryPlan: Hashable, Sendable {
    /// The size of the camera's picture.
    package let source: FrameSize
    /// The part of it.
    package let region: CropRectangle
    /// Which way round the part is put.
    package let orientation: PictureOrientation
    /// The size of the still.
    package let size: FrameSize
}

extension GeometryPlan {
    /// What `rendering` makes of a picture of the size `source`.
    ///
    /// - Throws: ``ImagingError/refused(_:)`` for a crop that does not lie inside the picture.
    package init(_ rendering: StillRendering, of source: FrameSize) throws(ImagingError) {
        self.source = source
        region = rendering.crop ?? CropRectangle(size: source, left: 0, top: 0)
        orientation = PictureOrientation(flip: rendering.flip, turn: rendering.turn)
        guard region.lies(within: source) else { throw .refused(.outside(region, of: source)) }
        size = Self.fit(orientation.size(of: region.size), rendering.width, rendering.height)
    }

    /// The size of a picture that neither exceeds the box nor itself, with its proportions: one side is that of the
    /// box, the other the nearest whole number, at least 1.
    static func fit(_ size: FrameSize, _ width: Int?, _ height: Int?) -> FrameSize {
        let box = FrameSize(
            width: min(width ?? size.width, size.width),
            height: min(height ?? size.height, size.height)
        )
        guard box != size else { return size }
        // Which of the two sides decides: a / b < c / d without a division.
        if box.width * size.height <= box.height * size.width {
            let rows = (2 * size.height * box.width + size.width) / (2 * size.width)
            return FrameSize(width: box.width, height: min(max(1, rows), box.height))
        }
        let columns = (2 * size.width * box.height + size.height) / (2 * size.height)
        return FrameSize(width: min(max(1, columns), box.width), height: box.height)
    }

    /// Whether the still is the camera's picture as it is.
    package var isIdentity: Bool { region.size == source && orientation.isIdentity && !isScaled }

    /// Whether the part is made smaller.
    package var isScaled: Bool { orientation.size(of: region.size) != size }

    /// The size of the still before its axes are exchanged.
    var upright: FrameSize { orientation.size(of: size) }

    /// The least of 1, 2, 4 and 8 eighths that the camera's picture can be decoded at without the still needing more
    /// pixels than that.
    ///
    /// libjpeg has vector code for just these.
    var eighths: Int {
        [1, 2, 4].first { upright.width * 8 <= region.size.width * $0 && upright.height * 8 <= region.size.height * $0 }
            ?? 8
    }
}

extension CropRectangle {
    /// Whether it lies inside a picture of this size.
    func lies(within picture: FrameSize) -> Bool {
        size.width > 0 && size.height > 0 && left >= 0 && top >= 0
            && left + size.width <= picture.width && top + size.height <= picture.height
    }
}

extension Problem {
    fileprivate static func outside(_ region: CropRectangle, of picture: FrameSize) -> Problem {
        .invalid(
            field: "crop",
            "is \(region), which does not lie inside the camera's picture of \(picture).",
            remedy: "Give a part of \(picture): size, left and top in pixels of the picture before it is turned."
        )
    }
}
