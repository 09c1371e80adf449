// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeModel

/// The manifest of an export while it grows: a line of JSON for each picture, in a temporary file that has no name.
final class ManifestLines {
    private static let name = "a temporary file for the manifest"

    private let descriptor: CInt
    /// Its bytes so far.
    private(set) var count = 0

    /// An empty manifest.
    init() throws(OutputError) {
        descriptor = try OutputError.temporary("create \(Self.name)", try SystemCalls.openUnnamed())
    }

    deinit { _ = close(descriptor) }

    /// Adds a picture; blocks.
    func add(_ frame: FrameRecord, file: String) throws {
        let line = try WireFormat.encode(RecordWithFile(record: frame, file: file)) + [UInt8(ascii: "\n")]
        try OutputError.temporary("write to \(Self.name)", try SystemCalls.write(line, to: descriptor))
        count += line.count
    }

    /// Hands all of it to `body`, piece by piece; blocks.
    func read(_ body: ([UInt8]) throws(OutputError) -> Void) throws(OutputError) {
        var offset = 0
        while offset < count {
            let piece = try OutputError.temporary("read \(Self.name)", try SystemCalls.read(descriptor, from: offset))
            try body(piece)
            offset += piece.count
        }
    }
}
