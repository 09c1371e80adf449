// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc

/// Threads outside the cooperative pool, on which calls may block.
package enum NamedThread {
    /// Runs `body` on a new detached thread; throws if pthread_create(3) fails, as at the limit of threads.
    ///
    /// ps(1) and /proc show the name, cut to the 15 bytes of pthread_setname_np(3).
    package static func start(name: String, _ body: @escaping @Sendable () -> Void) throws(ResourceError) {
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
        guard status == 0 else {
            unsafe Unmanaged<Start>.fromOpaque(start).release()
            throw ResourceError(ResourceError.threadCall, code: status)
        }
        pthread_detach(thread)
    }

    /// Traps in debug and test builds on other threads than those of ``start(name:_:)``; to be called before blocking.
    package static func assertMayBlock(_ what: @autoclosure () -> String) {
        #if DEBUG || TINTYPE_ASSERTIONS
        precondition(isCurrent, "\(what()) would block a thread of the cooperative pool")
        #endif
    }

    package static var isCurrent: Bool { unsafe pthread_getspecific(mark) != nil }

    /// Nil on threads not started by ``start(name:_:)``.
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
        init(name: String, body: @escaping @Sendable () -> Void) { (self.name, self.body) = (name, body) }

        func run() {
            let record = CallRecord()
            unsafe pthread_setspecific(NamedThread.mark, Unmanaged.passUnretained(record).toOpaque())
            _ = unsafe name.withCString { unsafe cv4l2_set_thread_name($0) }
            withExtendedLifetime(record) { body() }
        }
    }
}
