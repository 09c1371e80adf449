// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeClient
internal import TintypeModel

/// The command `tintype doctor [CAMERA]`.
struct DoctorCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Find out what is wrong with a camera; opens it as a still does.",
        discussion: """
            Watches the camera for 30 frames, at most 5 s, and inspects its device node and the processes that \
            have it open; run it as root to see all of them. Each finding has its evidence and a remedy. Exit \
            status 0: nothing was found; \(Self.unhealthy): something was.

            With --record it writes down what the camera answers to every question of the driver interface: formats, \
            sizes, rates, inputs and controls, as JSON. No picture is in it, nothing is set, and the serial number is \
            left out. Send it with a report about a camera that does not work as it should.
            """
    )

    /// The exit status where something was found.
    static let unhealthy: Int32 = 3
    /// The rounds that can be asked for.
    static let rounds = 1...10_000

    @OptionGroup var shared: SharedOptions

    @Argument(help: "The camera's name or its node (default: all cameras).", completion: Completion.cameras)
    var camera: String?

    @Option(
        name: .customLong("repeat"),
        help: ArgumentHelp("Examine this many times, to find intermittent faults.", valueName: "number")
    )
    var repeats = 1

    @Option(
        name: .customLong("record"),
        help: ArgumentHelp(
            """
            Write the camera's answers to every question of the driver interface to this file, or - for stdout, in \
            place of an examination.
            """,
            valueName: "file"
        ),
        completion: .file()
    )
    var recordFile: String?

    @Flag(name: .customLong("with-serial"), help: "Leave the serial number of the camera in the record.")
    var isWithSerial = false

    func validate() throws {
        if recordFile == "" { throw ValidationError("--record needs the name of a file, or - for stdout.") }
        if recordFile != nil, repeats != 1 { throw ValidationError("--record and --repeat exclude each other.") }
        if recordFile == nil, isWithSerial { throw ValidationError("--with-serial is for --record.") }
        if !Self.rounds.contains(repeats) {
            throw ValidationError("--repeat is a whole number from 1 to \(Self.rounds.upperBound).")
        }
        if camera == "" { throw ValidationError("The camera needs a name.") }
    }

    func answer() async throws {
        if let recordFile { return try await record(to: OutputTarget(recordFile)) }
        let examiner = Examiner(client: client, camera: camera)
        var report = DoctorReport()
        for round in 1...repeats {
            report.add(try await examiner.look(isFirst: round == 1))
        }
        try write(report, DoctorText.text)
        if !report.isHealthy { throw ExitCode(Self.unhealthy) }
    }

    private func record(to target: OutputTarget) async throws {
        if case .file = target { try target.check() }
        let record = try await asking(camera) { try await $0.record(of: $1, withSerial: isWithSerial) }
        try target.write(WireFormat.encode(record, pretty: true) + Array("\n".utf8))
    }
}
