// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeModel

struct OutputOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Write a JPEG file, or to stdout (-). The name may have fields of strftime, and %i or %03i for a counter.",
            valueName: "file"
        ),
        completion: .file()
    )
    var output: String?

    @Flag(inversion: .prefixedNo, help: "Whether the daemon stores it (default: --keep without -o, else --no-keep).")
    var keep: Bool?

    @Flag(name: .shortAndLong, help: "Print age and phases on stderr even if it is not a terminal.")
    var verbose = false

    func validate() throws {
        if output == "" { throw ValidationError("--output needs the name of a file, or - for stdout.") }
        if let output, !PictureWriter.isStream(output), let fault = FileEnding.fault(ofPicture: output) {
            throw ValidationError(fault)
        }
        if output == nil, keep == false {
            throw ValidationError("With --no-keep the picture would be lost: give -o FILE too.")
        }
    }

    /// Warns on stderr, terminal or not, of pictures that may show nothing; ignores errors, as ``writeDetails(_:)``.
    func warn(of records: [StillRecord]) {
        guard let warning = AppearanceWarning.text(records) else { return }
        try? StandardStream.error.write(warning)
    }

    /// Writes additional information to stderr if it is a terminal or with `--verbose`.
    func writeDetails(_ text: PrintedText) {
        guard verbose || StandardStream.error.isTerminal else { return }
        try? StandardStream.error.write(text)
    }
}
