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
    @OptionGroup var output: OutputOptions

    @Argument(help: "The camera; may be left out where there is only one.")
    var camera: String?

    func answer() async throws {
        guard let file = output.output else { return try await store() }
        // Before the camera is troubled for a picture that nobody would take.
        var writer = try PictureWriter(file)
        let request = still.request(keep: output.keep ?? false)
        let taken = try await asking(camera) { try await $0.picture(of: $1, request) }
        let path = try writer.write(taken)
        if !writer.isStandardOutput, isJSON { return try write(json: TakenStill(record: taken.record, file: path)) }
        if writer.namesFiles { try StandardStream.output.write(path + "\n") }
        try output.tell(StillReport.text(taken.record, showsPath: true))
    }

    private func store() async throws {
        let list = try await asking(camera) { try await $0.stills(still.request(keep: true), of: $1) }
        guard !isJSON else { return try write(json: list) }
        for record in list.stills {
            try StandardStream.output.write(try TakenStill(record: record).path + "\n")
            try output.tell(StillReport.text(record))
        }
    }
}
