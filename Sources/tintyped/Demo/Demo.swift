// SPDX-License-Identifier: Apache-2.0
internal import FoundationEssentials
internal import Glibc
internal import Synchronization
internal import TintypeAPI
internal import TintypeModel
internal import TintypeSystem

/// The daemon of `--demo`: two drawn cameras, and everything that it stores in one temporary folder.
struct Demo: Sendable {
    private let folder: String
    /// Locked until the process ends, even by SIGKILL.
    private let lock: CInt
    private let sockets: PassedSockets
    /// Port of the page.
    private let port: Int
    private let worker = DemoWorker()
    private let token = ControlServices.newToken()

    /// Port of the page, if it is free.
    static let usualPort: UInt16 = 8642

    /// Makes the folder and listens for the page; blocks on the file system.
    init(environment: [String: String]) throws {
        let parent = environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
        Self.removeLeftovers(in: parent)
        (folder, lock) = try Self.makeFolder(in: parent)
        do {
            sockets = try PassedSockets(loopback: Self.usualPort)
            // Once the daemon serves, the descriptor is another one's.
            port = sockets.port ?? 0
            try Self.configuration(token).write(toFile: "\(folder)/tintyped.yaml", atomically: false, encoding: .utf8)
        } catch {
            Self.remove(folder)
            throw error
        }
    }

    /// A folder below `parent` that only its user can enter (mkdtemp(3)), and its lock.
    static func makeFolder(in parent: String) throws(Problem) -> (folder: String, lock: CInt) {
        let remedy = "Set TMPDIR to a folder that you may write to."
        for _ in 0..<3 {
            var template = Array("\(parent)/tintype-demo-XXXXXX".utf8CString)
            guard unsafe mkdtemp(&template) != nil else {
                throw Problem(.internalError, "mkdtemp in \(parent): \(ErrnoText.of(errno)).", remedy: remedy)
            }
            let folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
            // Nil if another demo that has just started has taken it for a leftover.
            if let lock = lock(folder) { return (folder, lock) }
        }
        throw Problem(.internalError, "No folder in \(parent) can be locked.", remedy: remedy)
    }

    /// Removes the folders of demos that were killed: those of this user that nobody has locked.
    static func removeLeftovers(in parent: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? [] {
            guard name.hasPrefix("tintype-demo-"), let lock = lock("\(parent)/\(name)") else { continue }
            remove("\(parent)/\(name)")
            close(lock)
        }
    }

    /// Nil if the folder is locked (flock(2)), is a link, is not of this user with mode 0700, or was removed meanwhile.
    private static func lock(_ folder: String) -> CInt? {
        let lock = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        var facts = stat()
        if lock >= 0, flock(lock, LOCK_EX | LOCK_NB) == 0, unsafe fstat(lock, &facts) == 0, facts.st_nlink > 0,
            facts.st_uid == geteuid(), facts.st_mode & 0o777 == 0o700
        {
            return lock
        }
        if lock >= 0 { close(lock) }
        return nil
    }

    /// Removes the folder, and again what other threads of the process still write into it.
    static func remove(_ folder: String) {
        for _ in 0..<3 where FileManager.default.fileExists(atPath: folder) {
            try? FileManager.default.removeItem(atPath: folder)
        }
    }

    private var socket: String { "\(folder)/tintyped.sock" }

    func apply(to flags: inout DaemonFlags) {
        (flags.config, flags.passed) = ("\(folder)/tintyped.yaml", sockets)
        (flags.socket, flags.spool, flags.state) = (socket, "\(folder)/spool", "\(folder)/state")
    }

    /// Runs the worker beside the demo; to be called once the socket is there.
    func startWorker() { worker.start(socket: socket, cache: "\(folder)/work") }

    func remove() {
        worker.stop()
        Self.remove(folder)
    }

    var greeting: String {
        // The tintype beside this program, unless the shell found this in PATH.
        let program = CommandLine.arguments.first ?? ""
        let client = program.contains("/") ? "\(program.enclosingFolder)/tintype" : "tintype"
        return """
            tintyped \(TintypeVersion.current) runs a demo: two drawn cameras, with motion detection and a picture every 10 s.
            Open this link to sign in; its token is for this run only:

                http://127.0.0.1:\(port)/#token=\(token)

            In another terminal: \(client) --socket \(socket) status
            Ctrl-C stops the demo and removes everything that it has stored, which is in \(folder).
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

/// The worker of a demo, `tintype work` as a child process.
///
/// The kernel kills it if the demo is killed (PR_SET_PDEATHSIG, prctl(2)).
final class DemoWorker: Sendable {
    private let task = Mutex<Task<Void, Never>?>(nil)
    private let ended = ThreadSemaphore()

    /// The command tintype beside this program; nil if it is not there.
    static var program: String? {
        guard let program = ProgramFolder.own.map({ "\($0)/tintype" }) else { return nil }
        return FileManager.default.isExecutableFile(atPath: program) ? program : nil
    }

    /// Without the program, the demo has no worker; call at most once.
    func start(_ program: String? = program, socket: String, cache: String) {
        guard let program else { return }
        let killed = ["/usr/bin/setpriv", "--pdeathsig", "KILL", "--"]
        let work = [program, "work", "--socket", socket, "--cache", cache]
        let command = HookCommand(command: killed + work, environment: [:], clock: .system)
        task.withLock { task in
            task = Task { [ended] in
                _ = await command.run([], within: .seconds(366 * 86_400))
                ended.post()
            }
        }
    }

    /// Returns once it has ended, by SIGTERM or after two seconds by SIGKILL; blocks.
    func stop() {
        guard let task = task.withLock({ $0.take() }) else { return }
        task.cancel()
        ended.wait()
    }
}
