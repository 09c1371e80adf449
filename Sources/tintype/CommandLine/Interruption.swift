// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import Glibc
internal import Synchronization

/// The end of a command from outside, by Ctrl-C, `timeout` or a terminal that is closed, where it has something to do before.
enum Interruption {
    /// The exit status after Ctrl-C, as shells give it: 128 and the number of SIGINT.
    static let usualStatus: Int32 = 128 + SIGINT
    /// The exit status after the signal that came: 128 and its number.
    static var status: Int32 { 128 + signal.load(ordering: .relaxed) }

    private static let signal = Atomic(SIGINT)
    /// How many calls wait for a program or a terminal to take what is written.
    private static let blocked = Atomic(0)

    private struct State {
        var task: Task<Void, any Error>?
        var hasCome = false
    }
    private static let state = Mutex(State())

    /// Does `work` in a task, and cancels it at SIGINT, SIGTERM and SIGHUP, except those that this process was started to
    /// ignore.
    ///
    /// The process ends by itself where no program takes its output 2 s later or at any time after. A second signal changes
    /// nothing: timeout(1) and shells send one to the process and one to its group.
    static func cancelling(_ work: sending @escaping () async throws -> Void) async throws {
        // A queue of its own gets a thread even where blocked output holds all others.
        let queue = DispatchQueue(label: "interruption")
        let sources = [SIGINT, SIGTERM, SIGHUP].filter { !SystemCalls.isIgnored($0) }.map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { interrupt(by: number) }
            return source
        }
        defer { for source in sources { source.cancel() } }
        // libdispatch registers a source later, on a thread of its own: until then a signal has its default action.
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

    /// Does what waits until others take what is written, and may never end.
    static func duringOutput<Value, Failure: Error>(_ write: () throws(Failure) -> Value) throws(Failure) -> Value {
        blocked.add(1, ordering: .relaxed)
        defer { blocked.subtract(1, ordering: .relaxed) }
        return try write()
    }
}
