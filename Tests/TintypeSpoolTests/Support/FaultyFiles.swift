// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization
internal import TintypeSpool

/// The machine's files with a fault: the call of a given index fails.
///
/// As `killed`, so does every call after it, the cleaning up too.
final class FaultyFiles: FileLayer {
    enum Fault: Hashable {
        case error(Int32)
        case killed
    }

    private struct State {
        var calls: [String] = []
        var fault: Fault?
        var failing = Int.max
    }

    let files = SystemFiles()
    private let state = Mutex(State())
    private let kept = Mutex<Set<String>>([])
    private let failedCall = Mutex<String?>(nil)

    /// The calls made since ``arm(_:at:)``, the failing one and those after it included.
    var calls: [String] { state.withLock(\.calls) }
    /// The call that has failed.
    var failed: String? { failedCall.withLock(\.self) }

    /// Lets the call `index`, from 0, of those made from now on fail.
    func arm(_ fault: Fault, at index: Int) { state.withLock { $0 = State(fault: fault, failing: index) } }

    /// Nothing fails from now on; calls are counted from 0.
    func disarm() { state.withLock { $0 = State() } }

    /// Files of these paths cannot be removed from now on.
    func keep(_ paths: Set<String>) { kept.withLock { $0 = paths } }

    func begin(_ call: FileCall) throws(FileError) {
        let code = state.withLock { state -> Int32? in
            let index = state.calls.count
            state.calls.append(call.verb)
            switch state.fault {
            case .error(let code): return index == state.failing ? code : nil
            case .killed: return index >= state.failing ? EINTR : nil
            case nil: return nil
            }
        }
        if let code {
            failedCall.withLock { $0 = $0 ?? call.verb }
            throw call.failure(code)
        }
        if call.verb == "remove", kept.withLock({ $0.contains(call.path) }) { throw call.failure(EPERM) }
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
}

extension FaultyFiles {
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
