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
        let report = try await report()
        try write(report, \.text)
        if !report.isHealthy { throw ExitCode(Self.unhealthy) }
    }

    /// Examines cameras through the daemon, which owns them, and inspects their nodes from outside.
    private func report() async throws -> DoctorReport {
        let cameras: [CameraStatus]
        do {
            cameras = try await selectedCameras()
        } catch let error as ClientError {
            return withoutDaemon(error)
        }
        var report = DoctorReport()
        if cameras.isEmpty {
            report.findings = [Diagnosis.nodeMissing(nil, "The daemon has no camera configured and finds none.")]
        }
        let inspector = NodeInspector(daemon: SystemCalls.listener(at: client.socket))
        for status in cameras {
            let examination = await examination(of: status.name)
            // After the examination: a program that kept the daemon from the camera still has it open.
            let node = status.identity.flatMap { $0.path.hasPrefix("/") ? inspector.evidence($0.path) : nil }
            let found = Diagnosis.findings(examination, node)
            report.findings += found
            guard found.isEmpty else { continue }
            if examination.frames.captured > 0 {
                report.healthyCameras.append(status.name)
            } else {
                report.silentCameras.append(status.name)
            }
        }
        return report
    }

    private func selectedCameras() async throws -> [CameraStatus] {
        let cameras = try await client.cameras().cameras
        guard let camera else { return cameras }
        if let status = cameras.first(where: { $0.isCalled(camera) }) { return [status] }
        // The daemon's own error for an unknown camera.
        return [try await client.camera(camera)]
    }

    private func examination(of camera: String) async -> Examination {
        var examination = Examination(camera: camera)
        do {
            examination = try await client.examine(ExaminationRequest(), of: camera)
        } catch let problem as Problem {
            examination.problem = problem
        } catch {
            let detail = (error as? ClientError)?.detail ?? "\(error)"
            let remedy = "See tintyped's log (sudo journalctl -u tintyped) and ask again."
            examination.problem = Problem(.internalError, detail, remedy: remedy)
        }
        return examination
    }

    private func withoutDaemon(_ error: ClientError) -> DoctorReport {
        var findings = [Finding(code: "daemon-unreachable", detail: error.detail, remedy: error.remedy)]
        let inspector = NodeInspector()
        let paths = Self.paths(camera, inspector.nodes)
        if paths.isEmpty { findings.append(Diagnosis.nodeMissing(nil, "There is no node in \(inspector.list).")) }
        findings += paths.compactMap { Diagnosis.finding($0, inspector.evidence($0)) }
        return DoctorReport(findings: findings)
    }

    /// Nodes that `camera` may refer to when the daemon cannot be asked.
    static func paths(_ camera: String?, _ nodes: [String]) -> [String] {
        guard let camera else { return nodes }
        if camera.hasPrefix("/") { return [camera] }
        return camera.wholeMatch(of: /video[0-9]+/) == nil ? nodes : ["/dev/\(camera)"]
    }
}

extension CameraStatus {
    /// True for the camera's name, node path or a link to the node.
    fileprivate func isCalled(_ name: String) -> Bool {
        self.name == name || identity.map { $0.path == name || ($0.byID + $0.byPath).contains(name) } ?? false
    }
}
