// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import TintypeCapture
internal import TintypeModel
internal import TintypeSpool
internal import TintypeSystem

/// Learned faults of cameras over restarts: `STATE/tolerances.json`, mode 0640; not flushed: they are learned again.
struct ToleranceFile: Sendable {
    private let state: String
    private let logger: Logger
    private let files: any FileSystem = SystemFiles()

    private var path: String { "\(state)/tolerances.json" }

    /// Store that is empty if its file cannot be read; a thread writes its changes, unless `isReadOnly`.
    static func store(
        in state: String,
        isReadOnly: Bool,
        clock: any MonotonicClock,
        logger: Logger
    ) async -> ToleranceStore {
        let file = ToleranceFile(state: state, logger: logger)
        let thread = WorkerThreads(name: "tt-tolerances", count: 1) {}
        let store = ToleranceStore { entries in
            if !isReadOnly { thread.submit { _ in file.write(entries) } }
        }
        let late = Problem(.spoolUnavailable, "The disk does not answer.", remedy: "Look for its errors (dmesg).")
        do throws(Problem) {
            let entries = try await thread.perform(until: clock.now + .seconds(2), by: clock, otherwise: late) {
                _ throws(Problem) in try file.read()
            }
            store.add(entries)
        } catch {
            logger.warning("learned faults of cameras in \(file.path) are not known: \(error.detail)")
        }
        return store
    }

    private func read() throws(Problem) -> [ToleranceStore.Entry] {
        guard try asProblem(try files.status(of: path, following: false)) != nil else { return [] }
        let bytes = try asProblem(try files.read(path, atMost: FileLimit.tolerances))
        return try WireFormat.decode([ToleranceStore.Entry].self, from: bytes)
    }

    private func write(_ entries: [ToleranceStore.Entry]) {
        let bytes = ((try? WireFormat.encode(entries, pretty: true)) ?? []) + [UInt8(ascii: "\n")]
        do throws(FileError) {
            // The state folder itself may be a symbolic link; its contents belong to the daemon.
            try files.makeFolderIfMissing(state, mode: 0o750, following: true)
            try files.replaceFile(path, by: bytes, mode: 0o640, through: "\(state)/.tolerances.json")
        } catch {
            logger.warning("learned faults of cameras are lost with the daemon: \(error)")
        }
    }
}
