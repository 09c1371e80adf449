// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TestSupport
internal import TintypeSpool
internal import TintypeThreads

/// The machine's files, with what a test does before their calls.
final class HookedFiles: FileLayer {
    let files = SystemFiles()
    private let poor: FileSystemKind?
    private let hook = Mutex<@Sendable (FileCall) -> Int32?>({ _ in nil })

    /// Files as if on a file system of that kind, by default on the machine's own.
    init(as kind: FileSystemKind? = nil) { poor = kind }

    /// Does `work`, and nothing else, before each call from now on, which fails where that has an errno.
    func before(_ work: @escaping @Sendable (FileCall) -> Int32?) { hook.withLock { $0 = work } }

    func begin(_ call: FileCall) throws(FileError) {
        let work = hook.withLock { $0 }
        if let code = work(call) { throw call.failure(code) }
    }

    func kind(of path: String) throws(FileError) -> FileSystemKind {
        if let poor { poor } else { try files.kind(of: path) }
    }
}

extension HookedFiles {
    /// Does `work`, once, before the next call that fits.
    func once(_ fits: @escaping @Sendable (FileCall) -> Bool, _ work: @escaping @Sendable () -> Void) {
        let isDone = OnceFlag()
        before { call in
            if fits(call), isDone.raise() { work() }
            return nil
        }
    }

    /// Does `work`, once, before the next picture is removed.
    func beforeRemoval(_ work: @escaping @Sendable () -> Void) {
        once({ $0.verb == "remove" && $0.path.hasSuffix(".jpg") && !$0.path.contains("/.") }, work)
    }

    /// Lets calls that write fail, as on a disk that goes bad; where `isCached`, only those that wait for the disk, as where
    /// it is gone and what is known of it in memory is not.
    func refuse(_ code: Int32, isCached: Bool = false) {
        let all: Set = ["make the folder", "create", "write", "flush", "rename", "lock"]
        let verbs = isCached ? ["flush"] : all
        before { verbs.contains($0.verb) ? code : nil }
    }

    /// Lets each call that changes a path fail for which `code` has an errno.
    func refuse(_ code: @escaping @Sendable (String) -> Int32?) {
        before { call in
            guard ["write", "rename", "replace", "remove"].contains(call.verb) else { return nil }
            return call.source.flatMap(code) ?? code(call.path)
        }
    }

    /// Nothing fails from now on.
    func mend() { before { _ in nil } }
}

/// Where the first thread that comes by waits until it is let go.
final class Hold: Sendable {
    private let gate = Gate()
    private let isTaken = OnceFlag()

    /// Returns once a thread waits here.
    func isReached() async throws { try await eventually("a thread is held up") { isTaken.isRaised } }

    func pass() { if isTaken.raise() { gate.wait() } }

    func release() { gate.open() }
}
