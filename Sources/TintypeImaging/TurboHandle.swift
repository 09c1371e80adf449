// SPDX-License-Identifier: Apache-2.0
internal import CTurboJPEG

/// A handle of libturbojpeg, made when it is first needed and kept from picture to picture.
///
/// One that could not go on is given up: the next picture has a new one. One thread at a time uses it.
@safe struct TurboHandle: ~Copyable {
    private let make: () -> tjhandle?
    private var made: tjhandle?

    init(_ make: @escaping () -> tjhandle?) {
        unsafe self.make = unsafe make
        unsafe made = nil
    }

    deinit { if let made = unsafe made { unsafe _ = tjDestroy(made) } }

    /// Whether a picture has needed it.
    var isMade: Bool { unsafe made != nil }

    /// Throws ``ImagingError/encoder(_:)`` when there is no memory for one.
    mutating func get() throws(ImagingError) -> tjhandle {
        if let made = unsafe made { return unsafe made }
        guard let handle = unsafe make() else { throw .encoder(unsafe String(cString: tjGetErrorStr2(nil))) }
        unsafe made = unsafe handle
        return unsafe handle
    }

    /// What libjpeg warned of in a call with this result, after which it went on; nil where it had no complaint.
    ///
    /// - Throws: ``ImagingError/notJPEG(_:)`` where it could not go on.
    mutating func warning(of status: Int32) throws(ImagingError) -> String? {
        guard status != 0 else { return nil }
        guard unsafe tjGetErrorCode(made) == Int32(TJERR_WARNING.rawValue) else { throw .notJPEG(giveUp()) }
        return message
    }

    /// What libturbojpeg says went wrong in the last call; the handle is given up.
    mutating func giveUp() -> String {
        defer {
            if let made = unsafe made { unsafe _ = tjDestroy(made) }
            unsafe made = nil
        }
        return message
    }

    private var message: String { unsafe String(cString: tjGetErrorStr2(made)) }
}
