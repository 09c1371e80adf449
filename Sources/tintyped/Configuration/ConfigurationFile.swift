// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeModel

enum ConfigurationFile {
    /// 1 MiB, enough for thousands of cameras.
    static let largest = 1 << 20

    /// Nil if the file does not exist and `isOptional`; blocks (read(2)), for a pipe up to `patience` each time until
    /// something is written to it.
    static func text(
        path: String,
        isOptional: Bool,
        patience: Duration = .seconds(5),
        folderRemedy: String = "Name the file in it with --config."
    ) throws(ConfigurationError) -> String? {
        // O_NONBLOCK: without it, open(2) of a pipe waits for a writer.
        let descriptor = unsafe path.withCString { unsafe open($0, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) }
        guard descriptor >= 0 else {
            let code = errno
            if isOptional, code == ENOENT || code == ENOTDIR { return nil }
            throw unreadable(path, "open", code, folderRemedy)
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&waiting, 1, CInt(patience / .milliseconds(1))) != 0 else {
                throw fault(path, "Nothing is written to this pipe.", remedy: "Name a configuration file.")
            }
            let count = unsafe read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count >= 0 else { throw unreadable(path, "read", errno, folderRemedy) }
            if count == 0 { break }
            bytes += chunk.prefix(count)
            guard bytes.count <= largest else {
                throw fault(path, "The file is larger than 1 MiB.", remedy: "Name a configuration file.")
            }
        }
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        let (detail, remedy) = ("The file is not UTF-8.", "Save it as UTF-8; iconv(1) converts it.")
        throw fault(path, detail, remedy: remedy, place: placeOfOtherText(in: bytes))
    }

    private static func placeOfOtherText(in bytes: [UInt8]) -> ConfigurationFault.Place {
        var valid = 0
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        while case .scalarValue(let scalar) = decoder.decode(&iterator) { valid += UTF8.width(scalar) }
        let lines = bytes.prefix(valid).split(separator: 0x0A, omittingEmptySubsequences: false)
        return ConfigurationFault.Place(line: lines.count, column: (lines.last?.count ?? 0) + 1)
    }

    private static func unreadable(
        _ path: String,
        _ operation: String,
        _ code: CInt,
        _ folderRemedy: String
    ) -> ConfigurationError {
        let remedy =
            switch code {
            case ENOENT, ENOTDIR: "Name an existing file with --config, or leave --config out."
            case EACCES, EPERM:
                "Let the user of the daemon (id \(geteuid())) read it and enter its folders; "
                    + "namei -l \(path) shows who may."
            case EISDIR: folderRemedy
            default: "Name a file that can be read with --config."
            }
        return fault(path, "\(operation): \(ErrnoText.of(code)).", remedy: remedy)
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
