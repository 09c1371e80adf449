// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Writes pictures into a folder, each whole or not at all.
///
/// The files of an interrupted export are taken as done, so that the export can continue.
struct FolderExport: ExportTarget {
    private let folder: String
    private var made: Set<String> = []

    /// Makes the folder unless it is there.
    init(_ path: String) throws(OutputError) {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        folder = path
        try make(path)
        do throws(SystemError) {
            try SystemCalls.checkWritable(path)
        } catch {
            throw OutputError("make files in", path, error)
        }
    }

    mutating func add(_ name: String, _ bytes: [UInt8], at time: Timestamp) throws(OutputError) {
        let path = "\(folder)/\(name)"
        try make(OutputFile.folder(of: path))
        guard try Self.isFree(path) else {
            if SystemCalls.file(path, of: bytes.count) == bytes { return }
            throw OutputError(
                "\(path) exists already and is not this picture.",
                remedy: "Give -o another folder, or move that file away."
            )
        }
        try OutputFile.replace(path, with: bytes, mode: nil)
    }

    mutating func finish(_ manifest: ManifestLines) throws(OutputError) {
        let file = try StreamedFile("\(folder)/\(ExportNames.manifest)")
        try manifest.read { (piece) throws(OutputError) in try file.write(piece) }
        try file.finish()
    }

    private mutating func make(_ folder: String) throws(OutputError) {
        guard made.insert(folder).inserted else { return }
        do throws(SystemError) {
            try SystemCalls.makeFolders(folder)
        } catch {
            throw OutputError("make the folder", folder, error)
        }
    }

    private static func isFree(_ path: String) throws(OutputError) -> Bool {
        do throws(SystemError) {
            return try SystemCalls.mode(path) == nil
        } catch {
            throw OutputError("look at", path, error)
        }
    }
}
