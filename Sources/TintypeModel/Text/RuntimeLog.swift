// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The log of libdispatch, on which tasks rest.
package enum RuntimeLog {
    /// Keeps it out of the journal, unless the environment says where it goes (`LIBDISPATCH_LOG`); to be called first.
    ///
    /// It has a line for each thread whose priority may not be raised (setpriority(2)): at every start of a program that
    /// root does not run, and of nothing that anybody could mend.
    package static func silence() { unsafe setenv("LIBDISPATCH_LOG", "NO", 0) }
}
