// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeModel

/// The bytes of a configuration file, and why they cannot be had.
enum ConfigurationFile {
    /// The most bytes that a configuration can have: 1 MiB, some thousand cameras.
    static let largest = 1 << 20

    /// The text of the file at `path`; nil if there is none and `isOptional`.
    ///
    /// Blocks. Throws what is wrong with the file. The C functions are `open`, `fstat` and `read`.
    static func text(path: String, isOptional: Bool) throws(ConfigurationError) -> String? {
        let descriptor = unsafe path.withCString { unsafe open($0, O_RDONLY | O_CLOEXEC | O_NOCTTY) }
        guard descriptor >= 0 else {
            let code = errno
            if isOptional, code == ENOENT || code == ENOTDIR { return nil }
            throw fault(path, "open: \(sentence(code))", remedy: remedy(code, path: path))
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        while true {
            let chunk: [UInt8]
            switch readChunk(descriptor) {
            case .success(let bytes): chunk = bytes
            case .failure(let failure):
                throw fault(path, "read: \(sentence(failure.code))", remedy: remedy(failure.code, path: path))
            }
            if chunk.isEmpty { break }
            bytes += chunk
            guard bytes.count <= largest else {
                throw fault(path, "The file is larger than 1 MiB.", remedy: "Name a configuration file.")
            }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw notUTF8(bytes, path: path)
        }
        return text
    }

    private struct ReadFailure: Error {
        var code: CInt
    }

    private static func readChunk(_ descriptor: CInt) -> Result<[UInt8], ReadFailure> {
        var failure: CInt = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
            var result = -1
            repeat {
                result = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            } while result < 0 && errno == EINTR
            failure = result < 0 ? errno : 0
            count = max(0, result)
        }
        return failure == 0 ? .success(bytes) : .failure(ReadFailure(code: failure))
    }

    private static func notUTF8(_ bytes: [UInt8], path: String) -> ConfigurationError {
        var valid = 0
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        while case .scalarValue(let scalar) = decoder.decode(&iterator) { valid += UTF8.width(scalar) }
        let line = bytes.prefix(valid).count { $0 == 0x0A } + 1
        let column = valid - (bytes.prefix(valid).lastIndex(of: 0x0A).map { $0 + 1 } ?? 0) + 1
        return fault(
            path,
            "The file is not UTF-8.",
            remedy: "Save it as UTF-8; iconv(1) converts it.",
            place: ConfigurationFault.Place(line: line, column: column)
        )
    }

    private static func sentence(_ code: CInt) -> String {
        ErrnoText.of(code) + "."
    }

    private static func remedy(_ code: CInt, path: String) -> String {
        switch code {
        case ENOENT, ENOTDIR: "Name an existing file with --config, or leave --config out."
        case EACCES, EPERM:
            "Let the user of the daemon (id \(geteuid())) read it and enter its folders; namei -l \(path) shows who may."
        case EISDIR: "Name the file in it with --config."
        default: "Name a file that can be read with --config."
        }
    }

    private static func fault(
        _ path: String,
        _ detail: String,
        remedy: String,
        place: ConfigurationFault.Place? = nil
    ) -> ConfigurationError {
        let fault = ConfigurationFault(file: path, place: place, key: nil, detail: detail, remedy: remedy)
        return ConfigurationError(faults: [fault])
    }
}
