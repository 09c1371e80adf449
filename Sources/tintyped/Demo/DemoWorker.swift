// SPDX-License-Identifier: Apache-2.0
internal import FoundationEssentials
internal import Synchronization
internal import TintypeModel
internal import TintypeSystem

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
        let work = [program, "work", "--socket", socket, "--cache", cache]
        let command = HookCommand(
            command: ["/usr/bin/setpriv", "--pdeathsig", "KILL", "--"] + work,
            environment: [:],
            clock: .system
        )
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
