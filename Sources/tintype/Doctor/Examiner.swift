// SPDX-License-Identifier: Apache-2.0
internal import TintypeClient
internal import TintypeModel

/// Collects the evidence of one round: from the daemon, which owns the cameras, and from outside.
struct Examiner {
    let client: ControlClient
    /// The camera that is asked for, by its name, its node or a link to that; nil for all.
    let camera: String?
    /// Looks at nodes; who the daemon is, it is told by each round.
    var inspector = NodeInspector()
    /// How long the daemon watches each camera.
    var request = ExaminationRequest()
    /// The user that the package makes for the daemon.
    static let packagedUser = "tintype"

    /// Looks once.
    ///
    /// - Parameter isFirst: whether a camera that the daemon does not know is an error; in later rounds it has gone.
    /// - Returns: what was seen.
    /// - Throws: ``Problem`` with `camera-not-found` and whatever else the daemon refuses with.
    func look(isFirst: Bool) async throws -> DoctorEvidence {
        let health: Health
        let list: CameraList
        do {
            (health, list) = try await client.withConnection { connection in
                (try await connection.health(), try await connection.cameras())
            }
        } catch let error as ClientError {
            return withoutDaemon(error)
        }
        var inspector = inspector
        inspector.daemon = SystemCalls.listener(at: client.socket)
        inspector.account = inspector.daemon.flatMap { inspector.processes.account(of: $0) }
        let daemon = DaemonEvidence(
            socket: client.socket,
            version: health.version,
            health: health,
            pid: inspector.daemon,
            user: inspector.account.map { SystemCalls.userName($0.user) },
            groups: inspector.account.map { $0.groups.map(SystemCalls.groupName) }
        )
        guard let camera else {
            var cameras: [CameraEvidence] = []
            for status in list.cameras { cameras.append(await examine(status, inspector)) }
            return DoctorEvidence(daemon: daemon, cameras: cameras)
        }
        if let status = list.cameras.first(where: { $0.isCalled(camera) }) {
            return DoctorEvidence(daemon: daemon, cameras: [await examine(status, inspector)])
        }
        do {
            // The daemon's own words for a camera that it does not know.
            return DoctorEvidence(
                daemon: daemon,
                cameras: [await examine(try await client.camera(camera), inspector)]
            )
        } catch let problem as Problem where !isFirst {
            return DoctorEvidence(daemon: daemon, cameras: [CameraEvidence(camera: camera, failure: problem)])
        }
    }

    private func examine(_ status: CameraStatus, _ inspector: NodeInspector) async -> CameraEvidence {
        var evidence = CameraEvidence(camera: status.name)
        do {
            evidence.examination = try await client.examine(request, of: status.name)
        } catch let problem as Problem {
            evidence.failure = problem
        } catch {
            let detail = (error as? ClientError)?.detail ?? "\(error)"
            evidence.failure = Problem(
                .internalError,
                detail,
                remedy: "See tintyped's log (sudo journalctl -u tintyped) and ask again."
            )
        }
        // After it: a program that kept the daemon away is still there.
        let identity = evidence.examination?.identity ?? status.identity
        evidence.node = identity.flatMap { $0.path.hasPrefix("/") ? inspector.evidence($0.path) : nil }
        return evidence
    }

    private func withoutDaemon(_ error: ClientError) -> DoctorEvidence {
        var inspector = inspector
        let account = Accounts.account(Self.packagedUser)
        inspector.account = account.map { ProcessTable.Account(user: $0.user, groups: $0.groups) }
        let daemon = DaemonEvidence(
            socket: client.socket,
            user: account.map { _ in Self.packagedUser },
            groups: account.map { $0.groups.map(SystemCalls.groupName) },
            detail: error.detail,
            remedy: error.remedy
        )
        let cameras = Self.paths(camera, inspector.nodes).map { path in
            let name = path == camera ? path : String(path.split(separator: "/").last ?? "")
            return CameraEvidence(camera: name, node: inspector.evidence(path))
        }
        return DoctorEvidence(daemon: daemon, cameras: cameras)
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
