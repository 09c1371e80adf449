// SPDX-License-Identifier: Apache-2.0
import TestSupport
import TintypeDevice
import TintypeModel

enum Converting {
    /// Returns a layout with `padding` bytes after each row.
    static func layout(_ format: FourCC, _ width: Int, _ height: Int, padding: Int = 0) -> PictureLayout {
        PictureLayout(format, FrameSize(width: width, height: height), padding: padding)
    }

    /// Returns a profile of a device without a node.
    static func profile(controls: Set<UInt32> = [], inputStatus: UInt32 = 0, path: String? = nil) -> ConverterProfile {
        let identity = CameraIdentity(path: "test", card: "Test", driver: "test", busInfo: "test-1")
        return ConverterProfile(identity, path: path, inputStatus: inputStatus, controls: controls)
    }

    /// The format needs no conversion.
    struct NothingToDo: Error {}

    /// Calls `body` with a converter for frames of this layout.
    static func with<R>(
        _ layout: PictureLayout,
        profile: ConverterProfile = Converting.profile(),
        _ body: (inout PixelConverter) throws -> R
    ) throws -> R {
        switch try PixelConverter.make(for: layout, profile: profile) {
        case .some(var converter): return try body(&converter)
        case .none: throw NothingToDo()
        }
    }

    static func picture(
        _ frame: [UInt8],
        _ layout: PictureLayout,
        profile: ConverterProfile = Converting.profile()
    ) throws -> (layout: PictureLayout, bytes: [UInt8]) {
        try with(layout, profile: profile) { converter in try picture(frame, &converter) }
    }

    static func picture(
        _ frame: [UInt8],
        _ converter: inout PixelConverter
    ) throws -> (layout: PictureLayout, bytes: [UInt8]) {
        try unsafe converter.convert(frame.span.bytes)
        return converter.withPicture { (bytes, layout) in
            (layout, unsafe bytes.withUnsafeBytes { bytes in unsafe [UInt8](bytes) })
        }
    }
}
