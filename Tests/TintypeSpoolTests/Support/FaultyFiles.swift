// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization
internal import TestSupport
internal import TintypeSpool
internal import TintypeSystem

/// The machine's files with what a test does before their calls: let some of them fail, hold them up, or anything else.
final class FaultyFiles: FileLayer {
    enum Fault: Hashable {
        case error(Int32)
        case killed
    }

    private struct State {
        /// Gets each call with its number, from 0; its errno is that of the call.
        var hook: @Sendable (FileCall, Int) -> Int32? = { _, _ in nil }
        var calls: [String] = []
        var failed: String?
        /// Where flushes of files wait.
        var gate: Gate?
        var waiting = 0
    }

    let files = SystemFiles()
    private let poor: FileSystemKind?
    private let state = Mutex(State())

    /// Files as if on a file system of that kind, by default on the machine's own.
    init(as kind: FileSystemKind? = nil) { poor = kind }

    /// The calls made since it was last said what is done before them, the failing one and those after it included.
    var calls: [String] { state.withLock(\.calls) }
    /// The first call that has failed.
    var failed: String? { state.withLock(\.failed) }
    /// How many calls have come to a disk that did not answer.
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
            // Half of it gets there, as on a disk that fills up.
            try files.write([UInt8](bytes.prefix(bytes.count / 2)), to: file)
            throw error
        }
        try files.write(bytes, to: file)
    }

    func close(_ file: OpenFile) throws(FileError) {
        // The descriptor is closed all the same: close(2).
        try files.close(file)
        try begin(FileCall(verb: "close", path: file.path))
    }

    func unlock(_ file: OpenFile) throws(FileError) {
        // The kernel does that for a process that was killed.
        try files.unlock(file)
        try begin(FileCall(verb: "unlock", path: file.path))
    }

    func kind(of path: String) throws(FileError) -> FileSystemKind {
        if let poor { poor } else { try files.kind(of: path) }
    }
}

extension FaultyFiles {
    /// Does `work`, and nothing else, before each call from now on, which fails where that has an errno.
    func before(_ work: @escaping @Sendable (FileCall) -> Int32?) { use { call, _ in work(call) } }

    /// Nothing fails or waits from now on.
    func mend() { before { _ in nil } }

    /// Lets the call `index`, from 0, of those made from now on fail; as `killed`, so does every call after it, the cleaning up
    /// too.
    func arm(_ fault: Fault, at index: Int) {
        use { _, number in
            switch fault {
            case .error(let code): number == index ? code : nil
            case .killed: number >= index ? EINTR : nil
            }
        }
    }

    /// Lets flushes of files wait until ``mend()``, as on a disk that does not answer.
    func block() { use({ _, _ in nil }, gate: Gate()) }

    /// Files of these paths cannot be removed from now on.
    func keep(_ paths: Set<String>) { before { $0.verb == "remove" && paths.contains($0.path) ? EPERM : nil } }

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

    /// The errors of a call that are told apart: of the disk, and of room and rights where it needs these.
    private static func errors(of verb: String) -> [Int32] {
        switch verb {
        case "look at", "read the link", "look at the room of", "close", "unlock": [EIO]
        case "list", "read": [EIO, EACCES]
        case "write", "flush", "flush the folder": [EIO, ENOSPC]
        default: [EIO, ENOSPC, EACCES]
        }
    }

    /// Does `work` once for each of the calls that come after it has armed the files, and for each error of that call;
    /// returns how many calls there are.
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
