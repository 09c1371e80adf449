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

    /// Writes the parts that `fetch` yields, or compares them with a file that is there; returns their size.
    mutating func add(
        _ frame: FrameRecord,
        as name: String,
        _ fetch: (_ each: ([UInt8]) async throws -> Void) async throws -> Void
    ) async throws -> Int {
        let path = "\(folder)/\(name)"
        let remedy = "Give -o another folder, or move that file away."
        let other = OutputError("\(path) exists already and is not this picture.", remedy: remedy)
        var (file, present, bytes): (AtomicFile?, OpenFile?, Int) = (nil, nil, 0)
        try await fetch { part in
            if bytes == 0, try isNew(path) {
                file = try AtomicFile(path)
            } else if bytes == 0 {
                present = try? OpenFile(path)
            }
            try file?.write(part)
            guard file != nil || (try? present?.read(part.count)) == part else { throw other }
            bytes += part.count
        }
        guard file != nil || (try? present?.read(1)) == [] else { throw other }
        try file?.finish()
        let line = try WireFormat.encode(RecordWithFile(record: frame, file: name)) + [UInt8(ascii: "\n")]
        switch manifest {
        case .stream(let stream): try stream.write(line)
        case .file(let file): try file.write(line)
        }
        return bytes
    }

    func finish() throws(OutputError) { if case .file(let file) = manifest { try file.finish() } }

    /// Makes the folder of the file.
    private mutating func isNew(_ path: String) throws(OutputError) -> Bool {
        let parent = path.enclosingFolder
        if made.insert(parent).inserted {
            try OutputError.naming("make the folder", parent, try SystemCalls.makeFolders(parent))
        }
        // Symbolic links are not followed, neither to read nor to create a file: they may lead anywhere.
        guard SystemCalls.link(path) == nil else { return false }
        return try OutputError.naming("look at", path, try SystemCalls.mode(path)) == nil
    }
}
