// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Examines cameras: by the daemon, which owns them, and by a look at their nodes from outside.
struct Examiner {
    let client: ControlClient
    /// The camera that is asked for, by its name, its node or a link to that; nil for all.
    let camera: String?

    /// Throws ``Problem`` with `camera-not-found` and whatever else the daemon refuses with.
    func report() async throws -> DoctorReport {
        let cameras: [CameraStatus]
        do {
            cameras = try await meant()
        } catch let error as ClientError {
            return withoutDaemon(error)
        }
        var report = DoctorReport()
        if cameras.isEmpty {
            report.findings = [Diagnosis.nodeMissing(nil, "The daemon has no camera configured and finds none.")]
        }
        let inspector = NodeInspector(daemon: SystemCalls.listener(at: client.socket))
        for status in cameras {
            let found = await findings(of: status, inspector)
            report.findings += found
            if found.isEmpty { report.healthyCameras.append(status.name) }
        }
        return report
    }

    private func meant() async throws -> [CameraStatus] {
        let cameras = try await client.cameras().cameras
        guard let camera else { return cameras }
        if let status = cameras.first(where: { $0.isCalled(camera) }) { return [status] }
        // The daemon's own words for a camera that it does not know.
        return [try await client.camera(camera)]
    }

    private func findings(of status: CameraStatus, _ inspector: NodeInspector) async -> [Finding] {
        var examination = Examination(camera: status.name)
        do {
            examination = try await client.examine(ExaminationRequest(), of: status.name)
        } catch let problem as Problem {
            examination.problem = problem
        } catch {
            let detail = (error as? ClientError)?.detail ?? "\(error)"
            examination.problem = Problem(
                .internalError,
                detail,
                remedy: "See tintyped's log (sudo journalctl -u tintyped) and ask again."
            )
        }
        // After it: a program that kept the daemon away is still there.
        let node = status.identity.flatMap { $0.path.hasPrefix("/") ? inspector.evidence($0.path) : nil }
        return Diagnosis.findings(examination, node)
    }

    private func withoutDaemon(_ error: ClientError) -> DoctorReport {
        var report = DoctorReport()
        report.findings = [Finding(code: "daemon-unreachable", detail: error.detail, remedy: error.remedy)]
        let inspector = NodeInspector()
        let paths = Self.paths(camera, inspector.nodes)
        if paths.isEmpty {
            report.findings.append(Diagnosis.nodeMissing(nil, "There is no node in \(inspector.list)."))
        }
        report.findings += paths.compactMap { Diagnosis.finding($0, inspector.evidence($0)) }
        return report
    }

    /// The nodes that `camera` may mean where no daemon can say which one it is.
    static func paths(_ camera: String?, _ nodes: [String]) -> [String] {
        guard let camera else { return nodes }
        if camera.hasPrefix("/") { return [camera] }
        return camera.wholeMatch(of: /video[0-9]+/) == nil ? nodes : ["/dev/\(camera)"]
    }
}

extension CameraStatus {
    /// Whether `name` is its name, its node or a link to that.
    fileprivate func isCalled(_ name: String) -> Bool {
        self.name == name || identity.map { $0.path == name || ($0.byID + $0.byPath).contains(name) } ?? false
    }
}
