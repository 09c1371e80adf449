// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import TintypeModel

/// The native socket of journald, for log lines with fields ([Native Journal
/// Protocol](https://systemd.io/JOURNAL_NATIVE_PROTOCOL)).
struct JournalSocket: Sendable {
    var socket = UnixDatagram(address: "/run/systemd/journal/socket")
    /// Writes lines that the socket does not accept, and may block.
    var otherwise: @Sendable (_ line: String) -> Void = { StandardError.write($0) }

    /// Sends a journal entry, or writes to standard error if the socket does not accept it; blocks.
    ///
    /// That is the case if nothing listens, if the socket stays full, or if the entry exceeds the datagram size. A
    /// critical line is the last of the process and always goes to standard error, which journald assigns to the
    /// service even if the process has exited.
    func write(_ line: LogLine) {
        if line.level < .critical, socket.failure(ofSending: Self.entry(of: line)) == nil { return }
        otherwise(line.text)
    }

    static func entry(of line: LogLine) -> [UInt8] {
        let fields = [
            ("MESSAGE", line.message), ("PRIORITY", "\(LogLine.priority(line.level))"),
            ("SYSLOG_IDENTIFIER", "tintyped"),
        ]
        let metadata = line.metadata.sorted { $0.key < $1.key }.map { (field($0.key), $0.value) }
        return (fields + metadata).flatMap { name, value -> [UInt8] in
            let bytes = Array(value.utf8)
            guard bytes.contains(0x0A) else { return Array("\(name)=".utf8) + bytes + [0x0A] }
            let length = (0..<8).map { UInt8(truncatingIfNeeded: bytes.count >> ($0 * 8)) }
            return Array("\(name)\n".utf8) + length + bytes + [0x0A]
        }
    }

    /// `TINTYPE_` and the key in capital letters, with four exceptions.
    static func field(_ key: String) -> String {
        switch key {
        case "camera": "CAMERA"
        case "state": "STATE"
        case "code": "ERROR_CODE"
        case MessageID.key: "MESSAGE_ID"
        default: "TINTYPE_" + key.uppercased().replacing("-", with: "_")
        }
    }
}
