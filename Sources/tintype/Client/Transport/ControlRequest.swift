// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

package struct ControlRequest: Sendable {
    package var method: String
    /// Percent-encoded path; starts with `/`.
    package var path: String
    /// Query parameters in order, not yet percent-encoded.
    package var query: [(name: String, value: String)]
    /// Additional header fields by name; `Host` and `Content-Length` are added automatically.
    package var headers: [String: String]
    package var body: [UInt8]
    /// Time limit for the exchange, including the connection setup; nil for no limit.
    package var deadline: Duration?

    package init(
        _ method: String,
        _ path: String,
        query: [(name: String, value: String)] = [],
        headers: [String: String] = [:],
        body: [UInt8] = [],
        deadline: Duration? = ControlRequest.defaultDeadline
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.deadline = deadline
    }

    init(
        _ method: String,
        _ path: String,
        json value: some Encodable,
        headers: [String: String] = [:],
        deadline: Duration?
    ) throws {
        let headers = headers.merging(["Content-Type": "application/json"]) { $1 }
        self.init(method, path, headers: headers, body: try WireFormat.encode(value), deadline: deadline)
    }

    /// For calls that wait for no camera.
    package static let defaultDeadline = Duration.seconds(10)

    /// Request target (RFC 9112, 3.2): path and query.
    var target: String {
        guard !query.isEmpty else { return path }
        let pairs = query.map { "\(Self.percentEncoded($0.name))=\(Self.percentEncoded($0.value))" }
        return "\(path)?\(pairs.joined(separator: "&"))"
    }

    /// Percent-encodes all but the unreserved characters (RFC 3986, 2.3).
    package static func percentEncoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF")
        return text.utf8.reduce(into: "") { encoded, byte in
            let character = Character(UnicodeScalar(byte))
            if character.isASCII, character.isLetter || character.isNumber || "-._~".contains(character) {
                encoded.append(character)
            } else {
                encoded += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }
    }
}
