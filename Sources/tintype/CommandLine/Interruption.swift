// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import Glibc
internal import Synchronization

/// Handles SIGINT, SIGTERM and SIGHUP in commands that must clean up before they exit.
enum Interruption {
    /// Exit status for the received signal, as in shells.
    static var status: Int32 { 128 + signal.load(ordering: .relaxed) }

    private static let signal = Atomic(SIGINT)
    /// Number of calls that wait for a reader of the output.
    private static let blocked = Atomic(0)

    private static let state = Mutex<(task: Task<Void, any Error>?, hasCome: Bool)>((nil, false))

    /// Runs `work` in a task and cancels it at SIGINT, SIGTERM and SIGHUP, except for signals ignored at startup.
    ///
    /// From 2 s after the signal, the process exits as soon as it finds its output blocked. Further signals have no
    /// effect: timeout(1) and shells send one to the process and another to its group.
    static func cancelling(_ work: sending @escaping () async throws -> Void) async throws {
        // A separate queue gets a thread even if blocked output occupies all others.
        let queue = DispatchQueue(label: "interruption")
        let sources = [SIGINT, SIGTERM, SIGHUP].filter { !SystemCalls.isIgnored($0) }.map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { interrupt(by: number) }
            return source
        }
        defer { for source in sources { source.cancel() } }
        // libdispatch registers sources asynchronously; until then a signal has its default action.
        for source in sources {
            await withCheckedContinuation { registered in
                source.setRegistrationHandler { registered.resume() }
                source.resume()
            }
        }
        let task = Task { try await work() }
        let hasCome = state.withLock { state in
            state.task = task
            return state.hasCome
        }
        if hasCome { task.cancel() }
        try await task.value
    }

    private static func interrupt(by number: CInt) {
        signal.store(number, ordering: .relaxed)
        let task = state.withLock { state in
            state.hasCome = true
            return state.task
        }
        task?.cancel()
        repeat { sleep(2) } while blocked.load(ordering: .relaxed) == 0
        _exit(128 + number)
    }

    /// Runs a write that may block, possibly forever, until a reader takes the output.
    static func duringOutput<Value, Failure: Error>(_ write: () throws(Failure) -> Value) throws(Failure) -> Value {
        blocked.add(1, ordering: .relaxed)
        defer { blocked.subtract(1, ordering: .relaxed) }
        return try write()
    }
}
