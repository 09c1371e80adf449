// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Synchronization
internal import TintypeSpool

/// The machine's files, with something that is done once before a folder is listed or a picture removed.
final class HookedFiles: FileLayer {
    private struct State {
        var suffix = ""
        var atListing: (@Sendable () -> Void)?
        var atRemoval: (@Sendable () -> Void)?
    }

    let files = SystemFiles()
    private let state = Mutex(State())

    /// Does `work`, once, before a folder is listed whose path ends like that.
    func beforeListing(_ suffix: String, _ work: @escaping @Sendable () -> Void) {
        state.withLock {
            $0.suffix = suffix
            $0.atListing = work
        }
    }

    /// Does `work`, once, before the next picture is removed.
    func beforeRemoval(_ work: @escaping @Sendable () -> Void) { state.withLock { $0.atRemoval = work } }

    func names(in folder: String) throws(FileError) -> [String] {
        let work: (@Sendable () -> Void)? = state.withLock { state in
            folder.hasSuffix(state.suffix) ? state.atListing.take() : nil
        }
        work?()
        return try files.names(in: folder)
    }

    func remove(_ path: String) throws(FileError) {
        let isPicture = path.hasSuffix(".jpg") && !path.contains("/.")
        let work: (@Sendable () -> Void)? = state.withLock { state in
            isPicture ? state.atRemoval.take() : nil
        }
        work?()
        try files.remove(path)
    }
}
