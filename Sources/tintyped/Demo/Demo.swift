// SPDX-License-Identifier: Apache-2.0
internal import FoundationEssentials
internal import TintypeAPI
internal import TintypeModel
internal import TintypeSystem

/// The daemon of `--demo`: two drawn cameras, and everything that it stores in one temporary folder.
struct Demo: Sendable {
    private let folder: DemoFolder
    private let sockets: PassedSockets
    private let worker = DemoWorker()
    private let token = ControlServices.newToken()

    /// Port of the page, if it is free.
    static let usualPort: UInt16 = 8642
    private static let (file, socket) = ("tintyped.yaml", "tintyped.sock")
    /// Names of everything in the folder.
    static let entries: Set = [file, socket, "\(socket).new", "\(socket).lock", "spool", "state", "work"]

    /// Makes the folder and listens for the page; blocks on the file system.
    init(environment: [String: String]) throws {
        let parent = environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
        DemoFolder.removeLeftovers(in: parent)
        folder = try DemoFolder(in: parent)
        do {
            sockets = try PassedSockets(loopback: Self.usualPort)
            try Self.configuration(token).write(toFile: path(Self.file), atomically: false, encoding: .utf8)
        } catch {
            folder.remove()
            throw error
        }
    }

    private func path(_ name: String) -> String { "\(folder.path)/\(name)" }

    func apply(to flags: inout DaemonFlags) {
        (flags.config, flags.passed) = (path(Self.file), sockets)
        (flags.socket, flags.spool, flags.state) = (path(Self.socket), path("spool"), path("state"))
    }

    /// Runs the worker beside the demo; to be called once the socket is there.
    func startWorker() { worker.start(socket: path(Self.socket), cache: path("work")) }

    func remove() {
        worker.stop()
        folder.remove()
    }

    /// For the person who started it; `client` is the command tintype.
    func greeting(client: String) -> String {
        """
        tintyped \(TintypeVersion.current) runs a demo: two drawn cameras, with motion detection and a picture every 10 s.
        Open this link to sign in; its token is for this run only:

            http://127.0.0.1:\(sockets.port ?? 0)/#token=\(token)

        In another terminal: \(client) --socket \(path(Self.socket)) status
        Ctrl-C stops the demo and removes everything that it has stored, which is in \(folder.path).
        """
    }

    /// The digest, not the token: a copy of the file gives no access.
    static func configuration(_ token: String) -> String {
        """
        # The configuration of “tintyped --demo”, which also gives its folders, its socket, and the port of the page.
        access:
          - {token: "\(AccessRule.digestPrefix)\(SHA256.text(Array(token.utf8)))", name: demo, role: admin}
        # The link is printed once both cameras deliver pictures.
        ready: cameras
        spool:
          retention: {maxFrames: 2000, maxBytes: 100M}
        cameras:
          yard:
            pattern: YUYV:1280x720@12,scene=yard
            # Only the path and the grass: neither clouds nor lit windows are motion.
            motion: {area: 3%, mask: [100x62+0+0], hold: 3s}
            ring: {seconds: 5, megabytes: 16}
            publish:
              - {every: 10s, durability: none, tags: lapse}
              - {nth: 12, when: motion, before: 3s, durability: none}
            alarms: {noPicture: {for: 10s}, frozen: {for: 10s}, black: {for: 10s}, uniform: {for: 10s}}
          workshop:
            pattern: YUYV:1280x720@10,scene=workshop
            # Without the window and the lamp; the printer is smaller than the area.
            motion: {area: 6%, mask: [100x45+0+0], hold: 3s}
            publish:
              - {every: 10s, durability: none, tags: lapse}
              - {nth: 10, when: motion, durability: none}
            alarms: {noPicture: {for: 10s}, frozen: {for: 10s}, black: {for: 10s}, uniform: {for: 10s}}

        """
    }
}
