// SPDX-License-Identifier: Apache-2.0
internal import CTurboJPEG

/// libturbojpeg handle, created on first use and reused until a fatal error; not thread-safe.
@safe struct TurboHandle: ~Copyable {
    private let make: () -> tjhandle?
    private var made: tjhandle?

    init(_ make: @escaping () -> tjhandle?) {
        unsafe self.make = unsafe make
        unsafe made = nil
    }

    deinit { if let made = unsafe made { unsafe _ = tjDestroy(made) } }

    var isMade: Bool { unsafe made != nil }

    /// Throws ``ImagingError/encoder(_:)`` if out of memory.
    mutating func get() throws(ImagingError) -> tjhandle {
        if let made = unsafe made { return unsafe made }
        guard let handle = unsafe make() else { throw .encoder(unsafe String(cString: tjGetErrorStr2(nil))) }
        unsafe made = unsafe handle
        return unsafe handle
    }

    /// Warning of libjpeg, which it continued after; throws ``ImagingError/notJPEG(_:)`` for a fatal error.
    mutating func warning(of status: Int32) throws(ImagingError) -> String? {
        guard status != 0 else { return nil }
        guard unsafe tjGetErrorCode(made) == Int32(TJERR_WARNING.rawValue) else { throw .notJPEG(giveUp()) }
        return message
    }

    /// Destroys the handle and returns libturbojpeg's message.
    mutating func giveUp() -> String {
        defer {
            if let made = unsafe made { unsafe _ = tjDestroy(made) }
            unsafe made = nil
        }
        return message
    }

    private var message: String { unsafe String(cString: tjGetErrorStr2(made)) }
}
