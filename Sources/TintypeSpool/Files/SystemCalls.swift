// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc

/// The calls that Swift's Glibc module does not declare.
enum SystemCalls {
    /// Gives a file another name unless something has it: renameat2(2) with RENAME_NOREPLACE.
    ///
    /// Returns 0 or an errno; EINVAL where the filesystem has no such call.
    static func renameWithoutReplacing(_ path: String, _ other: String) -> Int32 {
        unsafe cv4l2_rename_without_replacing(path, other) == 0 ? 0 : errno
    }

    /// Whether the kernel knows the wall clock to be synchronised, by NTP or otherwise.
    ///
    /// False where it cannot be asked. The C function is `adjtimex`, which changes nothing with `modes` 0.
    static var isClockSynchronized: Bool {
        let state = cv4l2_clock_state()
        return state >= 0 && state != CV4L2_CLOCK_UNSYNCHRONIZED
    }
}
