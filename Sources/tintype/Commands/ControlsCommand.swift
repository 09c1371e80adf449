// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeModel

struct ControlsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "controls",
        abstract: "List, set and save a camera's controls.",
        discussion: """
            Without a subcommand, lists the controls as “list” does. A closed camera is opened for the command and \
            closed again.
            """,
        subcommands: [
            ControlsListCommand.self, ControlsSetCommand.self, ControlsResetCommand.self, ProfilesCommand.self,
        ],
        defaultSubcommand: ControlsListCommand.self
    )

    @OptionGroup var shared: SharedOptions
}

struct ControlsListCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the controls with their values, ranges, defaults and flags."
    )

    @OptionGroup var shared: SharedOptions
    @OptionGroup var camera: CameraArgument

    func run() async throws {
        let list = try await withCamera(camera.name) { try await $0.controls(of: $1) }
        try write(list) { ControlReport.table($0.controls, width: width) }
    }
}

struct ControlsSetCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Set controls, in the order of their dependencies, and read them back.",
        usage: "tintype controls set [--socket <path>] [--json] [<camera>] <name>=<value> ...",
        discussion: """
            A value is a number, on or off, the name of a menu item, auto or manual, default, a part of the range \
            (50%), or for the exposure time a duration (10ms, 1/100s). The values hold until “reset” or until a \
            profile is applied, also after the camera was closed or unplugged. If one control cannot be set, the \
            others still are, and the exit status is 23.
            """
    )

    @OptionGroup var shared: SharedOptions

    @Argument(
        help: ArgumentHelp(
            "The controls and their values, after the camera unless there is only one.",
            valueName: "name=value"
        ),
        completion: Completion.controls
    )
    var words: [String]

    func validate() throws { _ = try parsed() }

    func run() async throws {
        let (camera, settings) = try parsed()
        try report(try await withCamera(camera) { try await $0.setControls(settings, of: $1) })
    }

    private func parsed() throws -> (camera: String?, settings: ControlSettings) {
        var words = words[...]
        let camera = words.first.flatMap { $0.contains("=") ? nil : $0 }
        if camera != nil { words.removeFirst() }
        try ensure(!words.isEmpty, "Name a control and its value, as in brightness=128.")
        var settings = ControlSettings()
        for word in words {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            try ensure(parts.count == 2 && !parts[0].isEmpty, "“\(word)” is not NAME=VALUE, as in brightness=128.")
            guard settings.values.updateValue(ControlValue(written: parts[1]), forKey: parts[0]) == nil else {
                throw ValidationError("\(parts[0]) is given more than once.")
            }
        }
        return (camera, settings)
    }
}

extension DaemonCommand {
    /// Writes the outcomes; exits with status 23 if a value could not be set.
    func report(_ list: ControlOutcomeList) throws {
        try write(list) { ControlReport.text($0.outcomes) }
        if !list.outcomes.allSatisfy(\.isFulfilled) {
            throw ExitCode(ProblemCode.configurationUnsupported.exitStatus)
        }
    }
}

struct ControlsResetCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Set every control to its default, then to its configured value.",
        discussion: "Forgets values that were set by command, and an applied profile. Lists the changes."
    )

    @OptionGroup var shared: SharedOptions
    @OptionGroup var camera: CameraArgument

    func run() async throws { try report(try await withCamera(camera.name) { try await $0.resetControls(of: $1) }) }
}

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
