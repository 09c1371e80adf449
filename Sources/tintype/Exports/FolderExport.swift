// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Writes pictures into a folder, each wholly or not at all, skips identical ones, and the manifest last; blocks.
struct FolderExport {
    private let folder: String
    /// JSON lines, one per picture.
    private let manifest: OpenOutput
    private var made: Set<String> = []

    init(_ path: String) throws(OutputError) {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        folder = path
        try OutputError.naming("make the folder", path, try SystemCalls.makeFolders(path))
        manifest = try OutputTarget.file("\(path)/\(ExportNames.manifest)").open()
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
        try manifest.write(try WireFormat.encode(RecordWithFile(record: frame, file: name)) + [UInt8(ascii: "\n")])
        return bytes
    }

    func finish() throws(OutputError) { try manifest.finish() }

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

/// Names of exported pictures: their paths in the spool, which make the export usable as a spool.
struct ExportNames {
    private let folders: [String]
    private var paths = UniquePaths(taken: [ExportNames.manifest])

    /// Name of the manifest; no picture gets it.
    static let manifest = "manifest.jsonl"

    init(folders: [String]) {
        // Longest first: one folder may be inside another.
        self.folders = folders.sorted { $0.utf8.count > $1.utf8.count }
    }

    /// Relative path for the picture, unique in this export.
    mutating func name(of frame: FrameRecord) -> String {
        let camera = CameraName.isValid(frame.still.camera) ? frame.still.camera : "camera"
        return paths.reserve(relative(frame) ?? "\(camera)/\(frame.id).\(frame.still.ending)")
    }

    /// Path relative to the spool; nil if in no spool, or if the path would leave the export folder or be hidden.
    private func relative(_ frame: FrameRecord) -> String? {
        guard let path = frame.still.path, let folder = folders.first(where: { path.hasPrefix("\($0)/") }) else {
            return nil
        }
        let rest = path.dropFirst(folder.count + 1)
        let parts = rest.split(separator: "/", omittingEmptySubsequences: false)
        let isSafe = parts.allSatisfy { part in !part.isEmpty && !part.hasPrefix(".") && !part.utf8.contains(0) }
        return isSafe ? String(rest) : nil
    }
}

extension StillRecord {
    var ending: String { kind == nil ? "jpg" : path?.hasSuffix(".mkv") == true ? "mkv" : "mp4" }
}
