// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc

/// Threads of our own, outside the cooperative pool: on them a call may block.
package enum NamedThread {
    /// Runs `body` on a new detached thread.
    ///
    /// - Parameters:
    ///   - name: shown by ps(1) and in /proc; cut to the 15 bytes that pthread_setname_np(3) takes.
    ///   - body: what the thread does; it ends when this returns.
    ///
    /// The C function is `pthread_create`. A process that has reached its limit of threads cannot go on: that traps.
    package static func start(name: String, _ body: @escaping @Sendable () -> Void) {
        let start = unsafe Unmanaged.passRetained(Start(name: String(name.prefix(15)), body: body)).toOpaque()
        var thread = pthread_t()
        let status = unsafe pthread_create(
            &thread,
            nil,
            { start in
                guard let start = unsafe start else { return nil }
                unsafe Unmanaged<Start>.fromOpaque(start).takeRetainedValue().run()
                return nil
            },
            start
        )
        precondition(status == 0, "pthread_create: error \(status); raise the limit of threads (TasksMax=, ulimit -u)")
        pthread_detach(thread)
    }

    /// Traps, in debug builds and in the builds that the tests use, where the caller is on a thread that must not
    /// block: anywhere but on a thread that ``start(name:_:)`` made.
    package static func assertMayBlock(_ what: @autoclosure () -> String) {
        #if DEBUG || TINTYPE_ASSERTIONS
        precondition(isCurrent, "\(what()) would block a thread of the cooperative pool")
        #endif
    }

    /// Whether the caller is on a thread that ``start(name:_:)`` made.
    package static var isCurrent: Bool { unsafe pthread_getspecific(mark) != nil }

    /// What the calling thread marks its calls in; nil on one that ``start(name:_:)`` did not make.
    static var record: CallRecord? {
        guard let record = unsafe pthread_getspecific(mark) else { return nil }
        return unsafe Unmanaged<CallRecord>.fromOpaque(record).takeUnretainedValue()
    }

    private static let mark: pthread_key_t = {
        var key = pthread_key_t()
        unsafe pthread_key_create(&key, nil)
        return key
    }()

    private final class Start: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }

        func run() {
            let record = CallRecord()
            unsafe pthread_setspecific(NamedThread.mark, Unmanaged.passUnretained(record).toOpaque())
            _ = unsafe name.withCString { unsafe cv4l2_set_thread_name($0) }
            withExtendedLifetime(record) { body() }
        }
    }
}
