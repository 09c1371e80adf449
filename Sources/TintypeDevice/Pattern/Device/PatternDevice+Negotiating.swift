// SPDX-License-Identifier: Apache-2.0
package import TintypeModel
internal import TintypeSystem

extension PatternDevice {
    var sourceFormat: CaptureFormat {
        var format = spec.format
        if sourceChange.isRaised, let size = spec.change?.size { format.size = size }
        return format
    }

    package func selectInput(_ wish: InputWish) throws(DeviceError) -> InputStatus? {
        let path = identity.path
        if let standard = wish.standard, standard.lowercased() != "auto" {
            throw .unsupported(path: path, reason: "a pattern has no standards, and \(standard) is asked for.")
        }
        let names = spec.inputs.map(\.name)
        var index = names.indices.first
        if let choice = wish.input { index = try choice.place(among: names, of: path) }
        let name = index.map { names[$0] } ?? "0"
        let fault = sourceChange.isRaised ? spec.change?.fault : index.flatMap { spec.inputs[$0].fault }
        if let fault { throw .noSignal(path: path, input: name, fault: fault) }
        return index.map { InputStatus(index: $0, name: name) }
    }

    package func formats() throws(DeviceError) -> [FormatDescription] {
        try simulateCall(.formats)
        return spec.descriptions(of: sourceFormat)
    }

    package func currentFormat() throws(DeviceError) -> CaptureFormat { sourceFormat }

    /// Grants the specified format, else the nearest one on offer.
    package func configure(_ format: CaptureFormat, crop: CropRectangle?) throws(DeviceError) -> GrantedFormat {
        try simulateCall(.setFormat)
        (picture, part) = (spec.grant(format, of: sourceFormat), nil)
        if let crop {
            let isPacked = [.yuyv, .grey].contains(picture.pixelFormat)
            guard spec.crops, isPacked else {
                throw unsupported("the device cannot deliver the part \(crop) of its picture.")
            }
            part = crop.fitted(into: picture.size)
        }
        var layout = layout(of: picture.pixelFormat, part?.size ?? picture.size)
        if !picture.pixelFormat.isJPEG {
            let (matrix, range) = (spec.color.matrix.rawValue, spec.color.range.rawValue)
            layout.signal = ColorSignal(parts: [.primaries: "srgb", .transfer: "srgb", .matrix: matrix, .range: range])
            if !picture.pixelFormat.hasChroma { layout.signal?.parts[.matrix] = nil }
        }
        var format = picture
        format.size = layout.size
        return GrantedFormat(format: format, layout: layout, crop: part)
    }

    func paintPart(_ code: PatternCode, _ part: CropRectangle, into target: inout MutableRawSpan) -> Int {
        guard let painter = stream.painter else { return 0 }
        let pixels = drawn(code, painter)
        let depth = canvas.pixelFormat == .yuyv ? 2 : 1
        let rowBytes = part.size.width * depth
        for row in 0..<part.size.height {
            let from = (part.top + row) * canvas.bytesPerRow + part.left * depth
            for offset in 0..<rowBytes {
                target.storeBytes(of: pixels[from + offset], toByteOffset: row * rowBytes + offset, as: UInt8.self)
            }
        }
        return rowBytes * part.size.height
    }
}

extension CropRectangle {
    /// The crop as a driver adjusts it: inside the picture, size and position even.
    fileprivate func fitted(into picture: FrameSize) -> CropRectangle {
        let width = max(2, min(size.width, picture.width) & ~1)
        let height = max(2, min(size.height, picture.height) & ~1)
        let (left, top) = (min(left, picture.width - width) & ~1, min(top, picture.height - height) & ~1)
        return CropRectangle(size: FrameSize(width: width, height: height), left: left, top: top)
    }
}
