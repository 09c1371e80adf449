// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeClient
internal import TintypeModel

/// The command `tintype calibrate [CAMERA]`.
struct CalibrateCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "calibrate",
        abstract: "Measure how long before its time stamps a camera exposes, by a terminal that flashes.",
        discussion: """
            Enlarge the terminal, make it fill the camera's picture, and run this in it. The terminal changes between \
            black and white at random moments, and the daemon finds the frames in which the light changed. The \
            result contains the delay of the terminal and of the screen, which is usually one refresh of the screen.
            """
    )

    @OptionGroup var shared: SharedOptions

    @Argument(help: .camera, completion: Completion.cameras)
    var camera: String?

    @Option(help: ArgumentHelp("How often the light changes, 8 to 200.", valueName: "number"))
    var flashes = 40

    @Flag(help: "Let the camera use the measured lead from now on, also after a restart of the daemon.")
    var save = false

    @Flag(help: "Forget the saved calibration, and measure nothing.")
    var forget = false

    func validate() throws {
        if !FlashList.countRange.contains(flashes) {
            throw ValidationError("--flashes is a whole number from 8 to 200.")
        }
        if save, forget { throw ValidationError("Give one of --save and --forget.") }
    }

    func answer() async throws {
        guard !forget else { return try await asking(camera) { try await $0.removeCalibration(of: $1) } }
        let light = try TerminalLight()
        defer { light.close() }
        try await Interruption.cancelling { try await calibrate(light) }
    }

    private static let firstPicture = StillRequest(
        fresh: .next,
        deadline: .seconds(20),
        settle: .never,
        keep: false
    )

    private func calibrate(_ light: TerminalLight) async throws {
        do {
            // A camera that was closed has its format once it was opened.
            let (name, status) = try await asking(camera) { client, name in
                _ = try await client.picture(of: name, Self.firstPicture)
                return (name, try await client.camera(name))
            }
            guard let calibration = try await measure(name, status, light) else { return }
            try write(calibration) { CalibrationReport.text($0, before: status) }
        } catch {
            throw Task.isCancelled ? ExitCode(Interruption.status) : error
        }
    }

    /// Has the daemon watch the camera while the terminal flashes; the one that fails ends the other.
    private func measure(
        _ name: String,
        _ status: CameraStatus,
        _ light: TerminalLight
    ) async throws -> Calibration? {
        let (client, flashes) = (client, flashes)
        let shortest = (status.format?.interval?.duration ?? .zero) * 6
        let longest = TerminalLight.pauses(atLeast: shortest).upperBound
        let (spare, most) = (Duration.seconds(30), Duration.milliseconds(CalibrationRequest.deadlineMsRange.upperBound))
        guard spare + longest * flashes <= most else {
            throw Problem(
                .invalidRequest,
                "\(flashes) flashes take longer than \(SpokenDuration.text(most)) at the rate of the camera \(name).",
                remedy: "Ask for \(Int((most - spare) / longest)) flashes, or set a higher rate."
            )
        }
        let request = CalibrationRequest(deadline: spare + longest * flashes, save: save)
        return try await withThrowingTaskGroup(of: Calibration?.self) { group in
            group.addTask { try await client.calibrate(request, of: name) }
            group.addTask {
                // Once frames are on their way.
                _ = try await client.picture(of: name, Self.firstPicture)
                try await client.tell(FlashList(try await light.flash(flashes, atLeast: shortest)), of: name)
                return nil
            }
            return try await group.reduce(nil) { $0 ?? $1 }
        }
    }
}
