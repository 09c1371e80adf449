// SPDX-License-Identifier: Apache-2.0

/// Arguments of the process, which Swift reads from `/proc/self/cmdline`.
package enum ProgramArguments {
    /// Reason not to start; nil if the arguments are known.
    ///
    /// Without `/proc`, even the name of the program is missing.
    package static func fault(in arguments: [String] = CommandLine.arguments) -> String? {
        guard arguments.isEmpty else { return nil }
        return "The arguments cannot be read: /proc is not mounted. Mount it: mount -t proc proc /proc."
    }
}
