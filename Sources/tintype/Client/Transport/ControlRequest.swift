// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// One request to the daemon.
package struct ControlRequest: Sendable {
    /// The method (RFC 9110, 9.1), as in `GET`.
    package var method: String
    /// The path as it goes over the socket: not empty, begins with `/`, already percent-encoded.
    package var path: String
    /// The parameters of the query in order; they are percent-encoded on the way.
    package var query: [(name: String, value: String)]
    /// Further header fields, by name; `Host` and `Content-Length` are added automatically.
    package var headers: [String: String]
    /// The content; empty for none.
    package var body: [UInt8]
    /// How long the whole exchange may take, connecting included; nil for no limit.
    package var deadline: Duration?

    /// A request of these parts.
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

    /// A request whose content is `value` as JSON.
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

    /// The deadline of calls that wait for no camera.
    package static let defaultDeadline = Duration.seconds(10)

    /// The request target: path and query.
    var target: String {
        guard !query.isEmpty else { return path }
        let pairs = query.map { "\(Self.percentEncoded($0.name))=\(Self.percentEncoded($0.value))" }
        return "\(path)?\(pairs.joined(separator: "&"))"
    }

    /// The text as one segment of a path or one part of a query.
    ///
    /// All but the unreserved characters of RFC 3986, 2.3, is percent-encoded.
    package static func percentEncoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF")
        return text.utf8.reduce(into: "") { encoded, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                encoded.append(Character(UnicodeScalar(byte)))
            default:
                encoded.append("%")
                encoded.append(digits[Int(byte >> 4)])
                encoded.append(digits[Int(byte & 15)])
            }
        }
    }
}
