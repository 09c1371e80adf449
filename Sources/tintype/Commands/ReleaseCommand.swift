// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeClient
internal import TintypeModel

/// The command `tintype release [CAMERA]`.
struct ReleaseCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "release",
        abstract: "End a hold; after the last hold the camera returns to its configured warmth."
    )

    @OptionGroup var shared: SharedOptions
    @OptionGroup var owner: OwnerOption

    @Argument(help: .camera, completion: Completion.cameras)
    var camera: String?

    @Flag(help: "End the holds of all owners.")
    var all = false

    func validate() throws {
        if all, owner.owner != nil { throw ValidationError("Give one of --owner and --all.") }
    }

    func answer() async throws {
        let request = ReleaseRequest(owner: all ? nil : owner.name)
        let (name, left) = try await asking(camera) { ($1, try await $0.release(request, of: $1)) }
        guard !isJSON else { return try write(json: left) }
        let others = left.holds.map { "still held by \($0.owner) until \($0.until)" }
        try StandardStream.output.write("\(name): \((["released"] + others).joined(separator: ", "))\n")
    }
}
