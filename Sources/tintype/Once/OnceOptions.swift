// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser

struct OnceOptions: ParsableArguments {
    @Flag(
        name: .customLong("once"),
        help: """
            Take the picture with a temporary tintyped of its own, not with the service; it reads no configuration \
            and leaves nothing behind. Needs -o.
            """
    )
    var isOnce = false

    @Option(
        help: ArgumentHelp(
            "With --once: the camera's node, such as /dev/video0, or a link to it (default: the only camera).",
            valueName: "path"
        ),
        completion: .file()
    )
    var device: String?

    @Option(
        help: ArgumentHelp(
            "With --once: the built-in test pattern instead of a camera, such as YUYV:1280x720@30.",
            valueName: "spec"
        )
    )
    var pattern: String?

    var arguments: [String] { (device.map { ["--device", $0] } ?? []) + (pattern.map { ["--pattern", $0] } ?? []) }

    func validate() throws {
        if device == "" { throw ValidationError("--device needs the path of a camera's node, such as /dev/video0.") }
        if device != nil, pattern != nil { throw ValidationError("Give one of --device and --pattern.") }
        guard isOnce || arguments.isEmpty else {
            throw ValidationError("--device and --pattern go with --once; elsewhere name a camera that tintyped has.")
        }
    }
}
