// SPDX-License-Identifier: Apache-2.0
import TintypeModel

struct Reply: Sendable {
    var status: Int
    /// Field values by lower-case name.
    var headers: [String: String]
    var body: [UInt8]

    var problem: Problem {
        get throws { try WireFormat.decode(Problem.self, from: body) }
    }

    var text: String { String(decoding: body, as: UTF8.self) }

    func value<Value: Decodable>(_ type: Value.Type) throws -> Value { try WireFormat.decode(type, from: body) }
}

extension Reply {
    /// Removes the first complete reply from `bytes`, or returns nil if it is incomplete.
    init?(from bytes: inout [UInt8], toHead: Bool = false) {
        let separator = Array("\r\n\r\n".utf8)
        guard
            let end = bytes.indices.first(where: { bytes[$0...].starts(with: separator) })
        else { return nil }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
        let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers[parts[0].lowercased()] = parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""
        }
        let length = toHead || status == 304 ? 0 : Int(headers["content-length"] ?? "0") ?? 0
        let start = end + separator.count
        guard bytes.count >= start + length else { return nil }
        self.init(status: status ?? 0, headers: headers, body: Array(bytes[start..<(start + length)]))
        bytes.removeFirst(start + length)
    }
}
