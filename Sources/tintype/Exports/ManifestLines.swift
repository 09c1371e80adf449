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
        do throws(SystemError) {
            descriptor = try SystemCalls.openUnnamed()
        } catch {
            throw ManifestLines.failure("create", error)
        }
    }

    deinit { _ = close(descriptor) }

    /// Adds a picture; blocks.
    func add(_ frame: FrameRecord, file: String) throws {
        let line = try WireFormat.encode(FrameFile(frame: frame, file: file)) + [UInt8(ascii: "\n")]
        do throws(SystemError) {
            try SystemCalls.write(line, to: descriptor)
        } catch {
            throw ManifestLines.failure("write to", error)
        }
        count += line.count
    }

    /// Hands all of it to `body`, piece by piece; blocks.
    func read(_ body: ([UInt8]) throws(OutputError) -> Void) throws(OutputError) {
        var offset = 0
        while offset < count {
            let piece: [UInt8]
            do throws(SystemError) {
                piece = try SystemCalls.read(descriptor, from: offset)
                guard !piece.isEmpty else { throw SystemError(code: EIO) }
            } catch {
                throw ManifestLines.failure("read", error)
            }
            try body(piece)
            offset += piece.count
        }
    }

    private static func failure(_ operation: String, _ error: SystemError) -> OutputError {
        OutputError(
            "\(operation) a temporary file for the manifest: \(error).",
            remedy: "Make room in /tmp, or let TMPDIR name another folder."
        )
    }
}
