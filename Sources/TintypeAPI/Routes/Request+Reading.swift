// SPDX-License-Identifier: Apache-2.0
internal import Hummingbird
internal import NIOCore
internal import TintypeModel
internal import TintypeSystem

extension Request {
    /// The whole body, within the size and time limits; throws `too-large` or `request-timeout`.
    func smallBody(_ limits: BodyLimits) async throws -> ByteBuffer {
        let announced = headers[.contentLength].flatMap { Int($0) }
        if announced == nil, headers[.transferEncoding] == nil { return ByteBuffer() }
        guard announced ?? 0 <= limits.bytes else { throw Problem.tooLarge(limit: limits.bytes) }
        return try await withThrowingTaskGroup(of: ByteBuffer?.self) { group in
            group.addTask {
                do {
                    return try await body.collect(upTo: limits.bytes)
                } catch is NIOTooManyBytesError {
                    throw Problem.tooLarge(limit: limits.bytes)
                }
            }
            group.addTask {
                try await limits.clock.sleep(for: limits.time)
                return nil
            }
            defer { group.cancelAll() }
            guard let whole = try await group.next() ?? nil else {
                throw Problem(
                    .requestTimeout,
                    "The body of the request did not arrive within \(SpokenDuration.text(limits.time)).",
                    remedy: "Send it without a pause, and as many bytes as Content-Length says."
                )
            }
            return whole
        }
    }

    /// Decodes JSON of any media type, an empty body as `{}`; throws `invalid-request`, and as ``smallBody(_:)``.
    func decoded<Value: Decodable>(_ limits: BodyLimits) async throws -> Value {
        let body = try await smallBody(limits)
        return try WireFormat.decode(
            Value.self,
            from: body.readableBytes > 0 ? Array(body.readableBytesView) : Array("{}".utf8)
        )
    }

    /// Like ``decoded(_:)``, but throws `invalid-request` for an empty body too.
    func required<Value: Decodable>(_ limits: BodyLimits) async throws -> Value {
        try WireFormat.decode(Value.self, from: try await smallBody(limits).readableBytesView)
    }

    /// The request with each `+` of its query as `%20`: HTML forms, and most HTTP libraries, encode a space as `+`.
    var withSpaces: Request {
        guard let path = head.path, let query = path.firstIndex(of: "?"), path[query...].contains("+") else {
            return self
        }
        var head = head
        head.path = String(path[..<query]) + path[query...].replacing("+", with: "%20")
        return Request(head: head, body: body)
    }

    /// Query parameters, percent-decoded, in order; nothing between two `&` is none (WHATWG URL, 5.1).
    var parameters: [(name: String, value: String)] {
        uri.queryParameters.map { (String($0.key), String($0.value)) }.filter { !$0.0.isEmpty || !$0.1.isEmpty }
    }

    /// Query parameters; throws `invalid-request` for a name not in `known`.
    func parameters(of known: [String]) throws(Problem) -> [(name: String, value: String)] {
        if let other = parameters.first(where: { !known.contains($0.name) }) {
            let names = known.joined(separator: ", ")
            throw .invalid(field: other.name, "is not known.", remedy: "Leave it out or use one of: \(names).")
        }
        return parameters
    }

    /// True if `If-None-Match` is `*` or lists the tag (RFC 9110, 13.1.2 and 8.8.3.2); a malformed field is ignored.
    func alreadyHas(tag: String) -> Bool {
        guard let condition = headers[.ifNoneMatch] else { return false }
        return condition == "*" || EntityTag.list(condition).contains(tag)
    }
}

/// Entity tags (RFC 9110, 8.8.3).
enum EntityTag {
    /// Opaque tags of a list, without quotes and `W/`; empty if the list is malformed.
    static func list(_ text: String) -> [String] {
        var rest = Substring(text)
        var tags: [String] = []
        while let match = rest.prefixMatch(of: /[ \t]*(?:W\/)?"([^\x00-\x20"\x7F]*)"[ \t]*(,[ \t,]*|$)/) {
            tags.append(String(match.1))
            rest = rest[match.range.upperBound...]
        }
        return rest.isEmpty ? tags : []
    }
}

struct BodyLimits: Sendable {
    var bytes: Int
    /// Time from the head of the request to the end of its body.
    let time: Duration
    let clock: any MonotonicClock
}
