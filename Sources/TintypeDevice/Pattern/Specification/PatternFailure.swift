// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A driver call of the test pattern that fails on purpose: `fail=CALL:ERRNO` or `fail=CALL:ERRNO@N`, as in
/// `fail=DQBUF:ENODEV@20`.
package struct PatternFailure: Hashable, Sendable {
    /// The call that fails.
    package var call: DriverCalls.Call
    /// What it fails with (errno(3)).
    package var errno: CInt
    /// It fails once this many frames of the stream were handed out, and from then on.
    package var after = 0

    /// The names that are understood; each of them can come from a driver.
    private static let names: [String: CInt] = [
        "EACCES": EACCES, "EBUSY": EBUSY, "EINVAL": EINVAL, "EIO": EIO, "ENODEV": ENODEV, "ENOENT": ENOENT,
        "ENOLINK": ENOLINK, "ENOMEM": ENOMEM, "ENOSPC": ENOSPC, "ENXIO": ENXIO, "EPERM": EPERM, "EPIPE": EPIPE,
        "EPROTO": EPROTO, "ESHUTDOWN": ESHUTDOWN, "ETIMEDOUT": ETIMEDOUT,
    ]

    /// The call with this name, whether or not `VIDIOC_` stands before it.
    static func call(named name: String) -> DriverCalls.Call? {
        DriverCalls.Call.allCases.first { $0.name == name || $0.name == "VIDIOC_\(name)" }
    }
}

extension PatternFailure {
    /// Reads `CALL:ERRNO` or `CALL:ERRNO@N`.
    init(_ text: String) throws(PatternSpecError) {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        let names = parts[0].split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard
            parts.count <= 2, names.count == 2, let call = Self.call(named: names[0]), let errno = Self.names[names[1]],
            let after = parts.count == 2 ? Int(parts[1]) : 0, after >= 0
        else {
            throw PatternSpecError(
                "“\(text)” names no failure. Give fail=CALL:ERRNO or fail=CALL:ERRNO@FRAMES, as in fail=STREAMON:EIO."
            )
        }
        self.init(call: call, errno: errno, after: after)
    }
}
