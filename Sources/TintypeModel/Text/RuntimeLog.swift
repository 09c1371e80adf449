// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Log of libdispatch, which runs Swift tasks.
package enum RuntimeLog {
    /// Disables the log unless `LIBDISPATCH_LOG` is set; call before anything else.
    ///
    /// libdispatch logs a line for every thread whose priority it may not raise (setpriority(2)): at every start as a
    /// non-root user, and nothing that a user could fix.
    package static func silence() { unsafe setenv("LIBDISPATCH_LOG", "NO", 0) }
}
