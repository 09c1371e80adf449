// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The calls that Swift's Glibc module does not declare, found by name in the C library.
enum SystemCalls {
    /// The value of RENAME_NOREPLACE in linux/fs.h.
    private static let noReplace: UInt32 = 1
    /// The value of TIME_ERROR in sys/timex.h: the clock is not synchronised (STA_UNSYNC).
    private static let timeError: Int32 = 5
    /// More than `struct timex` has on any Linux.
    private static let timexSize = 512

    private static let renameAddress = address(of: "renameat2")
    private static let adjustAddress = address(of: "adjtimex")

    private typealias Rename =
        @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32
    private typealias Adjust = @convention(c) (UnsafeMutableRawPointer) -> Int32

    /// Gives a file another name unless something has it: renameat2(2) with RENAME_NOREPLACE.
    ///
    /// Returns 0 or an errno; ENOSYS where the C library has no such call.
    static func renameWithoutReplacing(_ path: String, _ other: String) -> Int32 {
        guard let address = unsafe UnsafeRawPointer(bitPattern: renameAddress) else { return ENOSYS }
        let rename = unsafe unsafeBitCast(address, to: Rename.self)
        return unsafe rename(AT_FDCWD, path, AT_FDCWD, other, noReplace) == 0 ? 0 : errno
    }

    /// Whether the kernel knows the wall clock to be synchronised, by NTP or otherwise: adjtimex(2) that changes
    /// nothing.
    ///
    /// False where it cannot be asked.
    static var isClockSynchronized: Bool {
        guard let address = unsafe UnsafeRawPointer(bitPattern: adjustAddress) else { return false }
        let adjust = unsafe unsafeBitCast(address, to: Adjust.self)
        // All zero: `modes` 0 only reads.
        return unsafe withUnsafeTemporaryAllocation(byteCount: timexSize, alignment: 16) { buffer in
            guard let base = buffer.baseAddress else { return false }
            unsafe memset(base, 0, timexSize)
            let state = unsafe adjust(base)
            return state >= 0 && state != timeError
        }
    }

    /// What strerror(3) says of an errno, beginning with a small letter.
    static func text(of code: Int32) -> String {
        let text = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let base = buffer.baseAddress, unsafe strerror_r(code, base, 256) == 0 else {
                return "error \(code)"
            }
            return unsafe String(cString: base)
        }
        return text.prefix(1).lowercased() + text.dropFirst()
    }

    private static func address(of name: String) -> UInt {
        unsafe UInt(bitPattern: dlsym(nil, name))
    }
}
