// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeModel
internal import TintypeSpool
internal import TintypeThreads

/// The folder where the daemon keeps what it was told by command: files of JSON and mode 0640 in folders of mode 0750.
///
/// A file is written beside, flushed and renamed, so that it is there whole or as it was before. All calls share a
/// thread, for a disk may not answer; none waits for it longer than ``timeLimit``.
struct StateFolder: Sendable {
    /// A call that takes longer waits for a disk that does not answer.
    private static let timeLimit = Duration.seconds(5)
    private static let folderMode: UInt32 = 0o750
    private static let fileMode: UInt32 = 0o640
    private static let ending = ".json"

    /// Its absolute path.
    let folder: String
    let files: any FileSystem
    private let thread = WorkerThreads(name: "tt-state", count: 1) {}

    /// The folder at the absolute path `folder`; it is not made before something is kept in it.
    init(_ folder: String, files: any FileSystem = SystemFiles()) {
        self.folder = folder
        self.files = files
    }

    /// Runs `body` on the thread that may block; throws its failure in words.
    func perform<Value: Sendable>(
        _ body: @escaping @Sendable () throws(FileError) -> Value
    ) async throws(Problem) -> Value {
        let late = Problem(
            .spoolUnavailable,
            "The disk of \(folder) has not answered for \(SpokenDuration.text(Self.timeLimit)).",
            remedy: "Look for errors of the disk in the kernel's log (dmesg).",
            retryAfter: .seconds(10)
        )
        return try await thread.perform(until: .now() + Self.timeLimit, otherwise: late) { _ throws(Problem) in
            do throws(FileError) {
                return try body()
            } catch {
                throw problem(error)
            }
        }
    }

    /// The problem that a client gets when a file of the state folder cannot be used.
    func problem(_ error: FileError) -> Problem {
        var problem = error.problem
        switch error.code {
        case EBADMSG: problem.remedy = "Save it again, or remove the file."
        case EISDIR: problem.remedy = "Remove that folder."
        case EACCES, EPERM, EROFS, ENOENT, ENOTDIR:
            problem.remedy =
                "Let the daemon's user (uid \(geteuid())) make and write \(folder), or name another folder with --state."
        default: break
        }
        return problem
    }

    // MARK: - On the thread that may block

    /// The path of what is kept as `name` in a folder.
    func path(of name: String, in folder: String) -> String { "\(folder)/\(name)\(Self.ending)" }

    /// The names under which something is kept in a folder; none where that is not there.
    func names(in folder: String) throws(FileError) -> [String] {
        guard try files.status(of: folder, following: false) != nil else { return [] }
        return try files.names(in: folder).filter { $0.hasSuffix(Self.ending) && !$0.hasPrefix(".") }
            .map { String($0.dropLast(Self.ending.count)) }
    }

    /// Keeps these bytes and a newline as `name` in a folder that is there, in place of what was; returns once they are on
    /// the disk.
    func write(_ bytes: [UInt8], as name: String, in folder: String) throws(FileError) {
        let beside = "\(folder)/.\(name)-\(UInt32.random(in: 0 ... .max))"
        try files.makeFile(beside, bytes + [UInt8(ascii: "\n")], mode: Self.fileMode, isFlushed: true)
        do throws(FileError) {
            try files.replace(path(of: name, in: folder), by: beside)
        } catch {
            try? files.remove(beside)
            throw error
        }
        try files.syncFolder(folder)
    }

    /// Makes the folder `path`, which is below this one, and those above it where they are missing.
    func makeFolders(to path: String) throws(FileError) {
        // The state folder itself may be a link; what is in it is ours.
        try files.makeFolderIfMissing(folder, mode: Self.folderMode, following: true)
        var parent = folder
        for name: Substring in path.dropFirst(folder.count).split(separator: "/") {
            let next = "\(parent)/\(name)"
            try files.makeFolderIfMissing(next, mode: Self.folderMode)
            // Also of one that was there: its maker may have been killed before this.
            try files.syncFolder(parent)
            parent = next
        }
    }
}
