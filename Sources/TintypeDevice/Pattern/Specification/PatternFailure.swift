// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Simulated failure of a driver call: `fail=CALL:ERRNO` or `fail=CALL:ERRNO@N`, for example `fail=DQBUF:ENODEV@20`.
package struct PatternFailure: Hashable, Sendable {
    package var call: DriverCalls.Call
    package var errno: CInt
    /// Number of frames of the stream after which all calls fail.
    package var after = 0

    private static let names: [String: CInt] = [
        "EACCES": EACCES, "EBUSY": EBUSY, "EINVAL": EINVAL, "EIO": EIO, "ENODEV": ENODEV, "ENOENT": ENOENT,
        "ENOLINK": ENOLINK, "ENOMEM": ENOMEM, "ENOSPC": ENOSPC, "ENXIO": ENXIO, "EPERM": EPERM, "EPIPE": EPIPE,
        "EPROTO": EPROTO, "ESHUTDOWN": ESHUTDOWN, "ETIMEDOUT": ETIMEDOUT,
    ]

    /// With or without the prefix `VIDIOC_`.
    static func call(named name: String) -> DriverCalls.Call? {
        DriverCalls.Call.allCases.first { $0.name == name || $0.name == "VIDIOC_\(name)" }
    }
}

extension PatternFailure {
    init(_ text: String) throws(PatternSpecError) {
        let (names, count) = PatternSpec.halves(of: text, at: "@")
        let (name, code) = PatternSpec.halves(of: names, at: ":")
        guard let call = Self.call(named: name), let errno = Self.names[code ?? ""], let after = Int(count ?? "0"),
            after >= 0
        else {
            throw PatternSpecError(
                "“\(text)” names no failure. Give fail=CALL:ERRNO or fail=CALL:ERRNO@FRAMES, as in fail=STREAMON:EIO."
            )
        }
        self.init(call: call, errno: errno, after: after)
    }
}
