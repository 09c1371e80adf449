// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser

/// The arguments `[CAMERA] NAME` of a command about one profile.
struct ProfileArguments: ParsableArguments {
    @Argument(
        help: "The camera, unless there is only one, and the name of the profile.",
        completion: Completion.profiles
    )
    var words: [String]

    var camera: String? { words.count == 2 ? words[0] : nil }
    var profile: String { words.last ?? "" }

    func validate() throws {
        guard (1...2).contains(words.count) else {
            throw ValidationError("Give the camera, unless there is only one, and the name of one profile.")
        }
    }
}
