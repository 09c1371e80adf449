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
        guard !words.isEmpty else { throw ValidationError("Name a control and its value, as in brightness=128.") }
        var settings = ControlSettings()
        for word in words {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, !parts[0].isEmpty else {
                throw ValidationError("“\(word)” is not NAME=VALUE, as in brightness=128.")
            }
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
