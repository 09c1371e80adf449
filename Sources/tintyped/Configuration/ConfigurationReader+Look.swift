// SPDX-License-Identifier: Apache-2.0
internal import TintypeCapture
internal import TintypeImaging
internal import TintypeModel

struct OverlaySettings: Hashable, Sendable {
    /// Default text; see ``ImageOptions/isValid(overlay:)``.
    var text: String?
    /// Style of the default text and of requested texts.
    var style = OverlayStyle()
}

extension ConfigurationReader {
    /// Reads what all pictures of the camera look like; crop and mask need the camera's size.
    func readLook(at path: String, into camera: inout CameraConfiguration) throws(Problem) {
        guard let keys = try fields(at: path, ConfigurationKey.Look.self) else { return }
        camera.session.quality = try keys.integer(.quality, in: ImageOptions.qualityRange) ?? camera.session.quality
        camera.overlay = try overlay(at: keys.path(of: .overlay)) ?? camera.overlay
        let turn = try keys.text(.rotate, is: "a rotation", give: "0, 90, 180 or 270") { Int($0).flatMap(Turn.init) }
        let flip = try keys.text(.flip, is: "a flip", give: "horizontal or vertical") { Flip(rawValue: $0) }
        var look = CameraLook()
        (look.flip, look.turn) = (flip, turn ?? .none)
        camera.session.look = look
        let upright = camera.uprightSize
        let give = "SIZE+LEFT+TOP in pixels of the upright picture, such as 640x480+100+50"
        look.crop = try keys.text(.crop, is: "a part of the picture", give: give) { text in
            CropRectangle(text).flatMap { upright.map($0.lies(within:)) ?? true ? $0 : nil }
        }
        look.mask = try keys.shapes(.mask, of: upright) ?? []
        if look.crop != nil || look.isMasked {
            look.size = upright.map(look.orientation.size(of:))
            if look.size == nil {
                let remedy = "Give the camera its size, such as size: 1280x720."
                document.add(path, "Crop and mask refer to a size, and the camera has none.", remedy: remedy)
            }
        }
        camera.session.look = look == CameraLook() ? nil : look
    }

    private func overlay(at path: String) throws(Problem) -> OverlaySettings? {
        try section(at: path, ConfigurationKey.Overlay.self, OverlaySettings()) { (keys, settings) throws(Problem) in
            let (lengths, sizes) = (ImageOptions.overlayRange, OverlayStyle.percentRange)
            let noText = "is not a text of \(lengths.lowerBound) to \(lengths.upperBound) characters in one line."
            let textRemedy = "Give one such as \"%Y-%m-%d %H:%M:%S\"."
            settings.text = try keys.freeText(.text, noText, remedy: textRemedy, where: ImageOptions.isValid(overlay:))
            let font = "a path such as \(OverlayStyle.defaultFont)"
            settings.style.font = try keys.absolutePath(.font, give: font) ?? settings.style.font
            let size = "a size from \(Int(sizes.lowerBound))% to \(Int(sizes.upperBound))%"
            let hundredths = "hundredths of the picture's height, such as 4%"
            let percent = try keys.percent(.size, is: size, give: hundredths, in: sizes)
            settings.style.percent = percent ?? settings.style.percent
            settings.style.corner = try keys.word(.position, OverlayStyle.Corner.self) ?? settings.style.corner
        }
    }
}

extension FieldReader {
    /// Areas of the upright picture, of `size` in pixels if it is known.
    func shapes(_ key: Key, of size: FrameSize?) throws(Problem) -> [MaskShape]? {
        let remedy =
            "Give each as WIDTHxHEIGHT+LEFT+TOP or as corners, X,Y X,Y X,Y, in percent, such as 100x20+0+0 for the upper "
            + "fifth, or in pixels with px at the end, if the camera has a size."
        return try texts(key, "is not a list of areas in the picture.", remedy: remedy) { texts in
            let shapes = texts.compactMap { MaskShape($0, of: size) }
            return shapes.count == texts.count ? shapes : nil
        }
    }
}
