// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeModel

struct ProfilesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profiles",
        abstract: "List, save, apply, compare and remove named sets of control values.",
        subcommands: [
            ProfilesListCommand.self, ProfileSaveCommand.self, ProfileApplyCommand.self, ProfileDiffCommand.self,
            ProfileRemoveCommand.self,
        ],
        defaultSubcommand: ProfilesListCommand.self
    )

    @OptionGroup var shared: SharedOptions
}

struct ProfilesListCommand: DaemonCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the camera's profiles.")

    @OptionGroup var shared: SharedOptions
    @OptionGroup var camera: CameraArgument

    func run() async throws {
        let list = try await withCamera(camera.name) { try await $0.profiles(of: $1) }
        try write(list) { ControlReport.table($0.profiles, width: width) }
    }
}

/// Arguments `[CAMERA] NAME` of a command for one profile.
struct ProfileArguments: ParsableArguments {
    static func usage(of command: String) -> String {
        "tintype controls profiles \(command) [--socket <path>] [--json] [<camera>] <profile>"
    }

    @Argument(
        help: ArgumentHelp("The profile's name, after the camera unless there is only one.", valueName: "profile"),
        completion: Completion.profiles
    )
    var words: [String]

    var camera: String? { words.count == 2 ? words[0] : nil }
    var profile: String { words.last ?? "" }

    func validate() throws {
        guard (1...2).contains(words.count) else {
            throw ValidationError("Give the camera, unless there is only one, and the name of one profile.")
        }
        if profile.isEmpty { throw ValidationError("The name of the profile is empty.") }
    }
}

struct ProfileSaveCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "save",
        abstract: "Save the camera's current values as a profile; replaces one of the same name.",
        usage: ProfileArguments.usage(of: "save"),
        discussion: """
            Leaves out values that change without a command, that an automatic mode controls, or that cannot be set.
            """
    )

    @OptionGroup var shared: SharedOptions
    @OptionGroup var arguments: ProfileArguments

    func run() async throws {
        let profile = try await withCamera(arguments.camera) { try await $0.saveProfile(arguments.profile, of: $1) }
        try write(profile, ControlReport.text)
    }
}

struct ProfileApplyCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "apply",
        abstract: "Apply a profile in place of configured values and of values set by command.",
        usage: ProfileArguments.usage(of: "apply"),
        discussion: "It holds until “reset” or until the daemon ends. Exit status 23: a value could not be set."
    )

    @OptionGroup var shared: SharedOptions
    @OptionGroup var arguments: ProfileArguments

    func run() async throws {
        try report(try await withCamera(arguments.camera) { try await $0.applyProfile(arguments.profile, of: $1) })
    }
}

struct ProfileDiffCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Compare the camera's controls with a profile.",
        usage: ProfileArguments.usage(of: "diff"),
        discussion: "Exit status 0: they match; 23: they differ."
    )

    @OptionGroup var shared: SharedOptions
    @OptionGroup var arguments: ProfileArguments

    func run() async throws {
        let list = try await withCamera(arguments.camera) { try await $0.differences(from: arguments.profile, of: $1) }
        try write(list) { ControlReport.table($0.differences, width: width) }
        if !list.differences.isEmpty { throw ExitCode(ProblemCode.configurationUnsupported.exitStatus) }
    }
}

struct ProfileRemoveCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "rm",
        abstract: "Remove a saved profile.",
        usage: ProfileArguments.usage(of: "rm")
    )

    @OptionGroup var shared: SharedOptions
    @OptionGroup var arguments: ProfileArguments

    func run() async throws {
        try await withCamera(arguments.camera) { try await $0.removeProfile(arguments.profile, of: $1) }
    }
}
