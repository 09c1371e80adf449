// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser

/// Where pictures go, as options.
struct OutputOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Write to this file, - being stdout; with fields of strftime, and %i or %03i, which counts.",
            valueName: "file"
        ),
        completion: .file()
    )
    var output: String?

    @Flag(inversion: .prefixedNo, help: "Whether the daemon stores it (default: --keep without -o, else --no-keep).")
    var keep: Bool?

    @Flag(name: .shortAndLong, help: "Tell age and phases on stderr, also where that is no terminal.")
    var verbose = false

    func validate() throws {
        if output == "" { throw ValidationError("--output needs the name of a file, or - for stdout.") }
        if output == nil, keep == false {
            throw ValidationError("With --no-keep nothing would remain of the picture: give -o FILE too.")
        }
    }

    /// Writes what is told besides the answer to stderr, if that is a terminal or all is to be told.
    func tell(_ text: String) throws {
        guard verbose || StandardStream.error.isTerminal else { return }
        try StandardStream.error.write(text)
    }
}
