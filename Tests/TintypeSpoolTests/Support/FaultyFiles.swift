// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization
internal import TestSupport
internal import TintypeSpool
internal import TintypeSystem

/// The machine's files with a hook before each call, which can fail or hold it.
final class FaultyFiles: FileLayer {
    enum Fault: Hashable {
        case error(Int32)
        case killed
    }

    private struct State {
        /// Called with each call and its number from 0; returns the errno of the call.
        var hook: @Sendable (FileCall, Int) -> Int32? = { _, _ in nil }
        var calls: [String] = []
        var failed: String?
        /// Gate that flushes of files wait at.
        var gate: Gate?
        var waiting = 0
    }

    let files = SystemFiles()
    private let poor: FileSystemKind?
    private let state = Mutex(State())

    /// Makes files as if on a file system of this kind, by default the machine's own.
    init(as kind: FileSystemKind? = nil) { poor = kind }

    /// Calls since the hook was last set, including failed and later ones.
    var calls: [String] { state.withLock(\.calls) }
    var failed: String? { state.withLock(\.failed) }
    /// Number of calls blocked by the disk.
    var waiting: Int { state.withLock(\.waiting) }

    private func use(_ hook: @escaping @Sendable (FileCall, Int) -> Int32?, gate: Gate? = nil) {
        let before = state.withLock { state in
            defer { state = State(hook: hook, failed: state.failed, gate: gate) }
            return state.gate
        }
        before?.open()
    }

    func begin(_ call: FileCall) throws(FileError) {
        let (hook, index, gate) = state.withLock { state in
            state.calls.append(call.verb)
            let gate = call.verb == "flush" ? state.gate : nil
            if gate != nil { state.waiting += 1 }
            return (state.hook, state.calls.count - 1, gate)
        }
        gate?.wait()
        guard let code = hook(call, index) else { return }
        state.withLock { $0.failed = $0.failed ?? call.verb }
        throw call.failure(code)
    }

    func write(_ bytes: [UInt8], to file: OpenFile) throws(FileError) {
        do throws(FileError) {
            try begin(FileCall(verb: "write", path: file.path))
        } catch {
            // Half of the bytes are written, as on a disk that fills up.
            try files.write([UInt8](bytes.prefix(bytes.count / 2)), to: file)
            throw error
        }
        try files.write(bytes, to: file)
    }

    func close(_ file: OpenFile) throws(FileError) {
        // The descriptor is closed even on failure: close(2).
        try files.close(file)
        try begin(FileCall(verb: "close", path: file.path))
    }

    func unlock(_ file: OpenFile) throws(FileError) {
        // The kernel releases the lock of a killed process.
        try files.unlock(file)
        try begin(FileCall(verb: "unlock", path: file.path))
    }

    func kind(of path: String) throws(FileError) -> FileSystemKind {
        if let poor { poor } else { try files.kind(of: path) }
    }
}

extension FaultyFiles {
    /// Sets the hook before each call; a call fails with the errno that `work` returns.
    func before(_ work: @escaping @Sendable (FileCall) -> Int32?) { use { call, _ in work(call) } }

    func mend() { before { _ in nil } }

    /// Makes call `index` from now on fail, counted from 0; as `killed` also every later call, including the cleanup.
    func arm(_ fault: Fault, at index: Int) {
        use { _, number in
            switch fault {
            case .error(let code): number == index ? code : nil
            case .killed: number >= index ? EINTR : nil
            }
        }
    }

    /// Blocks flushes of files until ``mend()``, as on a disk that does not answer.
    func block() { use({ _, _ in nil }, gate: Gate()) }

    /// Prevents the removal of files with these paths.
    func keep(_ paths: Set<String>) { before { $0.verb == "remove" && paths.contains($0.path) ? EPERM : nil } }

    /// Runs `work` once, before the next matching call.
    func once(_ fits: @escaping @Sendable (FileCall) -> Bool, _ work: @escaping @Sendable () -> Void) {
        let isDone = OnceFlag()
        before { call in
            if fits(call), isDone.raise() { work() }
            return nil
        }
    }

    /// Runs `work` once, before the next removal of a picture.
    func beforeRemoval(_ work: @escaping @Sendable () -> Void) {
        once({ $0.verb == "remove" && $0.path.hasSuffix(".jpg") && !$0.path.contains("/.") }, work)
    }

    /// Makes writing calls fail, as on a failing disk; with `isCached` only those that wait for the disk, as on a
    /// missing disk with cached metadata.
    func refuse(_ code: Int32, isCached: Bool = false) {
        let all: Set = ["make the folder", "create", "write", "flush", "rename", "lock"]
        let verbs = isCached ? ["flush"] : all
        before { verbs.contains($0.verb) ? code : nil }
    }

    /// Makes each call fail that changes a path for which `code` returns an errno.
    func refuse(_ code: @escaping @Sendable (String) -> Int32?) {
        before { call in
            guard ["write", "rename", "replace", "remove"].contains(call.verb) else { return nil }
            return call.source.flatMap(code) ?? code(call.path)
        }
    }

    /// Errors to test for a call: of the disk, and of space and permissions if it needs them.
    private static func errors(of verb: String) -> [Int32] {
        switch verb {
        case "look at", "read the link", "look at the room of", "close", "unlock": [EIO]
        case "list", "read": [EIO, EACCES]
        case "write", "flush", "flush the folder": [EIO, ENOSPC]
        default: [EIO, ENOSPC, EACCES]
        }
    }

    /// Runs `work` for each call made after it has armed the files, and for each error of that call; returns the number
    /// of calls.
    static func failEachCall(_ work: (FaultyFiles, Int32, Int) async throws -> Void) async throws -> Int {
        var index = 0
        while true {
            var codes = [EIO]
            for code in [EIO, ENOSPC, EACCES] where codes.contains(code) {
                let files = FaultyFiles()
                try await work(files, code, index)
                guard let failed = files.failed else { return index }
                codes = errors(of: failed)
            }
            index += 1
        }
    }
}
