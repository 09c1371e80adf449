// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeModel

struct DoctorCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Diagnose a camera; opens it as a still does.",
        discussion: """
            Watches the camera for 30 frames, at most 5 s, and inspects its device node and the processes that \
            have it open; run it as root to see all of them. Each finding has a remedy. Exit status 0: nothing was \
            found; \(Self.unhealthy): something was.
            """
    )

    static let unhealthy: Int32 = 3

    @OptionGroup var shared: SharedOptions

    @Argument(help: "The camera's name or its node (default: all cameras).", completion: Completion.cameras)
    var camera: String?

    func validate() throws {
        if camera == "" { throw ValidationError("The camera needs a name.") }
    }

    func run() async throws {
        let report = try await Examiner(client: client, camera: camera).report()
        try write(report, \.text)
        if !report.isHealthy { throw ExitCode(Self.unhealthy) }
    }
}
