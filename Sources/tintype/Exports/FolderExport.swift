// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Writes pictures into a folder, each wholly or not at all, skips identical ones, and the manifest last; blocks.
struct FolderExport {
    /// JSON lines, one per picture.
    private enum Manifest {
        case stream(OpenStream)
        case file(AtomicFile)
    }

    private let folder: String
    private let manifest: Manifest
    private var made: Set<String> = []

    init(_ path: String) throws(OutputError) {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        folder = path
        try OutputError.naming("make the folder", path, try SystemCalls.makeFolders(path))
        try OutputError.naming("make files in", path, try SystemCalls.checkWritable(path))
        let name = "\(path)/\(ExportNames.manifest)"
        if let stream = try OutputTarget.stream(name) {
            manifest = .stream(stream)
        } else {
            manifest = .file(try AtomicFile(name))
        }
    }

    mutating func add(_ frame: FrameRecord, _ picture: [UInt8], as name: String) throws {
        try write(picture, as: name)
        let line = try WireFormat.encode(RecordWithFile(record: frame, file: name)) + [UInt8(ascii: "\n")]
        switch manifest {
        case .stream(let stream): try stream.write(line)
        case .file(let file): try file.write(line)
        }
    }

    func finish() throws(OutputError) { if case .file(let file) = manifest { try file.finish() } }

    private mutating func write(_ bytes: [UInt8], as name: String) throws(OutputError) {
        let path = "\(folder)/\(name)"
        let parent = path.enclosingFolder
        if made.insert(parent).inserted {
            try OutputError.naming("make the folder", parent, try SystemCalls.makeFolders(parent))
        }
        // Symbolic links are not followed, neither to read nor to create a file: they may lead anywhere.
        let isLink = SystemCalls.link(path) != nil
        guard !isLink, try OutputError.naming("look at", path, try SystemCalls.mode(path)) == nil else {
            if SystemCalls.file(path, of: bytes.count) == bytes { return }
            let remedy = "Give -o another folder, or move that file away."
            throw OutputError("\(path) exists already and is not this picture.", remedy: remedy)
        }
        try AtomicFile.replace(path, with: bytes)
    }
}
