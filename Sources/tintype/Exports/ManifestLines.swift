// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeModel

/// The manifest of an export while it grows: a line of JSON for each picture, in a temporary file that has no name.
final class ManifestLines {
    private let descriptor: CInt
    /// Its bytes so far.
    private(set) var count = 0

    /// An empty manifest.
    init() throws(OutputError) {
        descriptor = try Self.naming("create", try SystemCalls.openUnnamed())
    }

    deinit { _ = close(descriptor) }

    /// Adds a picture; blocks.
    func add(_ frame: FrameRecord, file: String) throws {
        let line = try WireFormat.encode(FrameFile(frame: frame, file: file)) + [UInt8(ascii: "\n")]
        try Self.naming("write to", try SystemCalls.write(line, to: descriptor))
        count += line.count
    }

    /// Hands all of it to `body`, piece by piece; blocks.
    func read(_ body: ([UInt8]) throws(OutputError) -> Void) throws(OutputError) {
        var offset = 0
        while offset < count {
            let piece = try Self.naming("read", try SystemCalls.read(descriptor, from: offset))
            try body(piece)
            offset += piece.count
        }
    }

    private static func naming<Value>(
        _ operation: String,
        _ call: @autoclosure () throws(SystemError) -> Value
    ) throws(OutputError) -> Value {
        do {
            return try call()
        } catch {
            throw OutputError(
                "\(operation) a temporary file for the manifest: \(error).",
                remedy: "Make room in /tmp, or let TMPDIR name another folder."
            )
        }
    }
}

/// A frame's record with the file that holds its picture: one object on the wire.
struct FrameFile: Encodable {
    private enum CodingKeys: String, CodingKey {
        case file
    }

    let frame: FrameRecord
    /// The path of the file, or its name in an export.
    let file: String

    func encode(to encoder: any Encoder) throws {
        try frame.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(file, forKey: .file)
    }
}
