// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import TintypeModel

/// A thread or descriptor that the system refuses, mostly because a limit is reached.
///
/// Limits also change, and fill up, while the daemon runs, so it fails one camera or request and never the process.
package struct ResourceError: Error, Hashable, Sendable, CustomStringConvertible {
    package let call: String
    package let code: CInt
    package init(_ call: String, code: CInt) { (self.call, self.code) = (call, code) }
    package var description: String { "\(call): \(ErrnoText.of(code)). \(remedy)" }

    private var remedy: String {
        Self.remedy(call: call, code: code) ?? "Look at the memory and the load of the machine."
    }

    /// Advice to raise the limit that was reached; nil for an errno of another kind.
    package static func remedy(call: String, code: CInt) -> String? {
        switch code {
        case EMFILE, ENFILE: "Raise the limit of open files (LimitNOFILE= in the unit, ulimit -n)."
        case EAGAIN where call == threadCall: "Raise the limit of threads (TasksMax= in the unit, ulimit -u)."
        default: nil
        }
    }

    static let threadCall = "pthread_create"

    package var problem: Problem {
        Problem(
            .tooManyRequests,
            "The daemon cannot begin this: \(call): \(ErrnoText.of(code)).",
            remedy: remedy,
            retryAfter: .seconds(1)
        )
    }
}
