// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeClient
internal import TintypeModel

/// The command `tintype controls set [CAMERA] NAME=VALUE...`.
struct ControlsSetCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Set controls, in the order of their dependencies, and read them back.",
        discussion: """
            A value is a number, on or off, the name of a menu item, auto or manual, default, a part of the range \
            (50%), or for the exposure time a duration (10ms, 1/100s). The values hold until “reset” or until a \
            profile is applied, also after the camera was closed or unplugged. If one control cannot be set, the \
            others still are, and the exit status is 23.
            """
    )

    @OptionGroup var shared: SharedOptions

    @Argument(
        help: "The camera, unless there is only one, and one or more NAME=VALUE.",
        completion: Completion.controls
    )
    var words: [String]

    func validate() throws { _ = try parsed() }

    func answer() async throws {
        let (camera, settings) = try parsed()
        let list = try await asking(camera) { try await $0.setControls(settings, of: $1) }
        try report(list)
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
    /// Writes what became of wishes; ends with status 23 where one was not fulfilled.
    func report(_ list: ControlOutcomeList) throws {
        if isJSON {
            try write(json: list)
        } else {
            try StandardStream.output.write(ControlReport.text(list.outcomes))
        }
        if !list.outcomes.allSatisfy(\.isFulfilled) {
            throw ExitCode(ProblemCode.configurationUnsupported.exitStatus)
        }
    }
}
