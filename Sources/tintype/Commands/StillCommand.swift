// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeClient
internal import TintypeModel

/// The command `tintype still [CAMERA]`.
struct StillCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "still",
        abstract: "Take a still.",
        discussion: """
            Without -o the daemon stores the picture in its spool, and its path is printed once it is as durable as \
            asked. With -o the picture is written to FILE, whole or not at all, or to stdout (-), and the daemon \
            keeps none unless --keep is given.
            """
    )

    @OptionGroup var shared: SharedOptions
    @OptionGroup var still: StillOptions

    @Argument(help: "The camera; may be left out where there is only one.")
    var camera: String?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Write the picture to this file; - is stdout.", valueName: "file"),
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

    func answer() async throws {
        guard let output else { return try await store() }
        let target = OutputTarget(output)
        // Before the camera is troubled for a picture that nobody would take.
        try target.check()
        let picture = try await client.withConnection { connection in
            try await connection.picture(
                of: try await CameraChoice.name(camera, at: connection),
                still.request(keep: keep ?? false)
            )
        }
        try target.write(picture.jpeg)
        if target != .standardOutput, isJSON { return try write(json: picture.record) }
        try tell(StillReport.text(picture.record))
    }

    private func store() async throws {
        let list = try await client.withConnection { connection in
            try await connection.stills(
                still.request(keep: true),
                of: try await CameraChoice.name(camera, at: connection)
            )
        }
        guard !isJSON else { return try write(json: list) }
        for record in list.stills {
            guard let path = record.path else {
                throw ClientError(
                    .unexpected,
                    "The reply does not tell where the still \(record.id) is stored.",
                    remedy: "Use a tintype of tintyped's version."
                )
            }
            try StandardStream.output.write(path + "\n")
            try tell(StillReport.text(record))
        }
    }

    private func tell(_ text: String) throws {
        guard verbose || StandardStream.error.isTerminal else { return }
        try StandardStream.error.write(text)
    }
}
