// SPDX-License-Identifier: Apache-2.0
internal import NIOHTTP1
internal import TintypeModel

extension HTTPRequestHead {
    /// Violation of RFC 9112 (2.3, 3.2 and 6.1), most of which SwiftNIO's parser rejects earlier; nil if none.
    var fault: Problem? {
        guard version == .http1_1 || version == .http1_0 else {
            return .head("The request is in HTTP/\(version.major).\(version.minor).", "Use HTTP/1.1.")
        }
        let codings = headers["transfer-encoding"]
        // “chunked” must not be repeated either.
        if !codings.isEmpty, codings.map({ $0.lowercased() }) != ["chunked"] {
            return .head(
                "The body has the Transfer-Encoding “\(codings.joined(separator: ", "))”.",
                "Send it plain: with Content-Length, or with Transfer-Encoding: chunked and no other coding."
            )
        }
        if !codings.isEmpty, version == .http1_0 {
            return .head("HTTP/1.0 has no Transfer-Encoding.", "Send Content-Length, or use HTTP/1.1.")
        }
        let hosts = headers["host"]
        guard hosts.count <= 1, version == .http1_0 || hosts.count == 1 else {
            return .head(
                "The request has \(hosts.isEmpty ? "no Host field" : "\(hosts.count) Host fields").",
                "Send one, such as Host: localhost."
            )
        }
        // Invalid in a host name, address or port (RFC 3986, 3.2).
        guard !hosts.contains(where: { $0.contains { " \t/?#@\\".contains($0) } }) else {
            return .head("The Host field is not the name of a host.", "Send one, such as Host: localhost.")
        }
        return nil
    }

    /// True if SwiftNIO's decoder reads no further request of the connection: after CONNECT, and after a request to
    /// change the protocol (RFC 9110, 7.8), such as that of “curl --http2”.
    var endsParsing: Bool {
        method == .CONNECT
            || headers.contains(name: "upgrade")
                && headers[canonicalForm: "connection"].contains { $0.lowercased() == "upgrade" }
    }
}

extension Problem {
    /// Problem for a parser error in the head or the body.
    static func malformed(_ error: HTTPParserError) -> Problem {
        if error == .headerOverflow {
            .head("The header of the request is too large.", "Send fewer or shorter fields.")
        } else {
            .head(
                "The bytes received are not an HTTP/1.1 request (\(error)).",
                "Use an HTTP client, as in: curl --unix-socket PATH http://localhost/v1/cameras."
            )
        }
    }

    fileprivate static func head(_ detail: String, _ remedy: String) -> Problem {
        Problem(.invalidRequest, detail, remedy: remedy)
    }
}
