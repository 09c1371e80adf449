// SPDX-License-Identifier: Apache-2.0
internal import HTTPTypes
internal import Hummingbird

extension Request {
    /// True for a request by which a browser asks whether it may send another one (CORS-preflight, Fetch, 3.2.2).
    var isPreflight: Bool { method == .options && headers.contains(.known("Access-Control-Request-Method")) }
}

extension Response {
    /// Fields of requests that routes read; `*` would not include Authorization.
    private static let requestFields =
        "Accept, Authorization, Content-Type, If-Match, If-None-Match, Last-Event-ID, X-Requested-With"

    /// Reply to a preflight request for a path with these methods; ``share(with:)`` adds the origin.
    init(preflight methods: [HTTPRequest.Method]) {
        var headers: HTTPFields = [:]
        headers[.known("Access-Control-Allow-Methods")] = methods.map(\.rawValue).joined(separator: ", ")
        headers[.known("Access-Control-Allow-Headers")] = Self.requestFields
        headers[.known("Access-Control-Max-Age")] = "600"
        self.init(status: .noContent, headers: headers)
    }

    /// Lets pages of `origin` read the reply and its fields (CORS, Fetch, 3.2.3); nil for no other origin.
    ///
    /// Without Access-Control-Allow-Credentials: browsers send no cookie, and the wildcard applies. Varies by origin even
    /// for other requests, so that a cache does not reuse their replies.
    mutating func share(with origin: String?) {
        headers[.vary] = [headers[.vary], "Origin"].compactMap(\.self).joined(separator: ", ")
        guard let origin else { return }
        headers[.known("Access-Control-Allow-Origin")] = origin
        headers[.known("Access-Control-Expose-Headers")] = "*"
    }
}
