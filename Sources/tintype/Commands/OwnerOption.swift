// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import FoundationEssentials
internal import Glibc
internal import TintypeModel

/// By which name a camera is held or released.
struct OwnerOption: ParsableArguments {
    @Option(help: ArgumentHelp("The owner of the hold (default: your user name).", valueName: "name"))
    var owner: String?

    /// The option, else the name of the user.
    var name: String { owner ?? Self.user(ProcessInfo.processInfo.environment) }

    func validate() throws {
        guard let owner, !HoldRequest.isValid(owner: owner) else { return }
        throw ValidationError("--owner is a name of 1 to 64 characters, none of them a control character.")
    }

    /// The user that `environment` names (`LOGNAME`, else `USER`), else the number of the user.
    static func user(_ environment: [String: String]) -> String {
        [environment["LOGNAME"], environment["USER"]].lazy.compactMap(\.self)
            .first(where: HoldRequest.isValid(owner:)) ?? "uid-\(getuid())"
    }
}
