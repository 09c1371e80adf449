// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Writes a tar archive as the pictures come; nothing of it is kept in memory.
struct ArchiveExport: ExportTarget {
    /// The file that receives the archive.
    enum Output {
        case stream(StandardStream)
        case file(StreamedFile)
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
        case .file(let file): try file.write(bytes)
        }
    }
}
