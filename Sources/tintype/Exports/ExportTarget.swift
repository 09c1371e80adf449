// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Where exported files go; its calls block.
protocol ExportTarget {
    /// Adds a file of that relative name; one that is there already is left if it is the same.
    mutating func add(_ name: String, _ bytes: [UInt8], at time: Timestamp) throws(OutputError)

    /// Adds the manifest and makes the export whole.
    mutating func finish(_ manifest: ManifestLines) throws(OutputError)
}

/// Where an export goes, as `-o` says it.
enum ExportDestination: Hashable {
    /// A tar archive to stdout: `-`.
    case standardOutput
    /// A tar archive in a file: a name that ends with `.tar`.
    case archive(String)
    /// A folder, made if need be.
    case folder(String)

    init(_ option: String) {
        let isArchive = FileEnding.ending(of: option) == "tar"
        let isOutput = OutputTarget(option) == .standardOutput
        self = isOutput ? .standardOutput : isArchive ? .archive(option) : .folder(option)
    }

    /// Refuses what certainly cannot take the pictures, and begins the export.
    func open() throws(OutputError) -> any ExportTarget {
        switch self {
        case .standardOutput:
            try OutputTarget.standardOutput.check()
            return ArchiveExport(to: .stream(.output))
        case .archive(let path):
            try OutputTarget.file(path).check()
            if let pipe = try OutputTarget.stream(path) { return ArchiveExport(to: .pipe(pipe)) }
            return ArchiveExport(to: .file(try AtomicFile(path)))
        case .folder(let path): return try FolderExport(path)
        }
    }
}

/// Writes a tar archive as the pictures come; nothing of it is kept in memory.
struct ArchiveExport: ExportTarget {
    /// The file that receives the archive.
    enum Output {
        case stream(StandardStream)
        case pipe(OpenStream)
        case file(AtomicFile)
    }

    private let output: Output

    init(to output: Output) { self.output = output }

    func add(_ name: String, _ bytes: [UInt8], at time: Timestamp) throws(OutputError) {
        try write(TarHeader(name: name, size: bytes.count, modified: time).blocks)
        try write(bytes)
        try write(TarHeader.padding(after: bytes.count))
    }

    func finish(_ manifest: ManifestLines) throws(OutputError) {
        try write(TarHeader(name: ExportNames.manifest, size: manifest.count, modified: .now()).blocks)
        try manifest.read { (piece) throws(OutputError) in try write(piece) }
        try write(TarHeader.padding(after: manifest.count))
        try write(TarHeader.end)
        if case .file(let file) = output { try file.finish() }
    }

    private func write(_ bytes: [UInt8]) throws(OutputError) {
        switch output {
        case .stream(let stream): try stream.write(bytes)
        case .pipe(let pipe): try pipe.write(bytes)
        case .file(let file): try file.write(bytes)
        }
    }
}

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
        try OutputError.naming("make files in", path, try SystemCalls.checkWritable(path))
    }

    mutating func add(_ name: String, _ bytes: [UInt8], at time: Timestamp) throws(OutputError) {
        let path = "\(folder)/\(name)"
        try make(path.enclosingFolder)
        // A link is followed neither to read nor to make a file: it may lead anywhere.
        let isLink = SystemCalls.link(path) != nil
        guard !isLink, try OutputError.naming("look at", path, try SystemCalls.mode(path)) == nil else {
            if SystemCalls.file(path, of: bytes.count) == bytes { return }
            throw OutputError(
                "\(path) exists already and is not this picture.",
                remedy: "Give -o another folder, or move that file away."
            )
        }
        try AtomicFile.replace(path, with: bytes)
    }

    mutating func finish(_ manifest: ManifestLines) throws(OutputError) {
        let path = "\(folder)/\(ExportNames.manifest)"
        if let pipe = try OutputTarget.stream(path) {
            return try manifest.read { (piece) throws(OutputError) in try pipe.write(piece) }
        }
        let file = try AtomicFile(path)
        try manifest.read { (piece) throws(OutputError) in try file.write(piece) }
        try file.finish()
    }

    private mutating func make(_ folder: String) throws(OutputError) {
        guard made.insert(folder).inserted else { return }
        try OutputError.naming("make the folder", folder, try SystemCalls.makeFolders(folder))
    }
}
