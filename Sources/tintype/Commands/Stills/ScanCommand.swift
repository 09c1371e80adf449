// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeModel

struct ScanCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan",
        abstract: "Take a still and print its QR and bar codes.",
        discussion: """
            A code a line: its kind, such as QR-Code or EAN-13, a space, and its text. The still is not stored. Exit \
            status 1: it has no code.
            """
    )

    @OptionGroup var shared: SharedOptions
    @OptionGroup var camera: CameraArgument

    @Option(
        help: ArgumentHelp("How long the scan may take in all, 1ms to 10m (default: 5s).", valueName: "time"),
        transform: { try OptionText.duration($0, in: StillRequest.deadlineMsRange) }
    )
    var deadline: Duration?

    func run() async throws {
        let request = deadline.map { ScanRequest(deadline: $0) } ?? ScanRequest()
        let report = try await withCamera(camera.name) { try await $0.scan(request, of: $1) }
        try write(report) { PrintedText($0.codes.map { "\($0.kind) \($0.text)\n" }) }
        if report.codes.isEmpty { throw ExitCode.failure }
    }
}
