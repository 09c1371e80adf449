// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser

/// The options that every command has, before its name or after it.
struct SharedOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The socket of tintyped (default: TINTYPE_SOCKET, else /run/tintype/tintyped.sock).",
            valueName: "path"
        ),
        completion: .file()
    )
    var socket: String?

    @Flag(help: "Print the daemon's JSON instead of text, and failures as JSON on stderr.")
    var json = false

    func validate() throws {
        if socket == "" { throw ValidationError("--socket needs the path of a socket.") }
    }
}
