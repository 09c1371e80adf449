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
        func failure(_ operation: String, _ code: CInt) -> ConfigurationError {
            let remedy = code == EISDIR ? folderRemedy : remedy(path, code)
            return .init(path, "\(operation): \(ErrnoText.of(code)).", remedy: remedy)
        }
        // O_NONBLOCK: without it, open(2) of a pipe waits for a writer.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard descriptor >= 0 else {
            let code = errno
            if isOptional, [ENOENT, ENOTDIR].contains(code) { return nil }
            throw failure("open", code)
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&waiting, 1, CInt(patience / .milliseconds(1))) != 0 else {
                throw .init(path, "Nothing is written to this pipe.", remedy: "Name a configuration file.")
            }
            let count = unsafe read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count >= 0 else { throw failure("read", errno) }
            if count == 0 { break }
            bytes += chunk.prefix(count)
            guard bytes.count <= largest else {
                throw .init(path, "The file is larger than 1 MiB.", remedy: "Name a configuration file.")
            }
        }
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        let place = ConfigurationFault.Place(after: String(decoding: bytes, as: UTF8.self).prefix { $0 != "\u{FFFD}" })
        throw .init(path, "The file is not UTF-8.", remedy: "Save it as UTF-8; iconv(1) converts it.", place: place)
    }

    private static func remedy(_ path: String, _ code: CInt) -> String {
        switch code {
        case ENOENT, ENOTDIR: "Name an existing file with --config, or leave --config out."
        case EACCES, EPERM:
            "Let the user of the daemon (id \(geteuid())) read it and enter its folders; namei -l \(path) shows who may."
        default: "Name a file that can be read with --config."
        }
    }
}
