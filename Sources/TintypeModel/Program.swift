// SPDX-License-Identifier: Apache-2.0
internal import Glibc

package enum ProgramArguments {
    /// Reason not to start; nil if the arguments are known, which needs `/proc`.
    package static func fault(in arguments: [String] = CommandLine.arguments) -> String? {
        guard arguments.isEmpty else { return nil }
        return "The arguments cannot be read: /proc is not mounted. Mount it: mount -t proc proc /proc."
    }
}

package enum RuntimeLog {
    /// Disables the log unless `LIBDISPATCH_LOG` is set; call before anything else.
    ///
    /// libdispatch logs a line for every thread whose priority it may not raise (setpriority(2)): at every start as a
    /// non-root user, and nothing that a user could fix.
    package static func silence() { unsafe setenv("LIBDISPATCH_LOG", "NO", 0) }
}

package enum TintypeVersion {
    /// Semantic Versioning 2.0.0: the newest numbered heading of CHANGELOG.md, or the next release.
    package static let current = "0.1.0"
}
