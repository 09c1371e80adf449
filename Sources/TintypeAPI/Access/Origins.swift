// SPDX-License-Identifier: Apache-2.0
internal import HTTPTypes
internal import Hummingbird
internal import TintypeModel

/// Protection against cross-site requests by a browser.
extension Request {
    /// Refuses a Host that is neither an IP address nor a name of the daemon (DNS rebinding) with `access-denied`.
    func refuseOtherHosts(than hosts: Set<String>) throws(Problem) {
        // Only browsers matter here, and they always send Host.
        guard let authority = head.authority, !authority.isEmpty else { return }
        let host = Self.host(of: authority).lowercased()
        guard !TCPAddress.isAddress(host), host != "localhost", !hosts.contains(host) else { return }
        throw Problem(
            .accessDenied,
            "The request is for the host “\(host)”, which is no name of this tintyped.",
            remedy: "Use its address, or add the name to tcp.hosts in its configuration."
        )
    }

    /// Refuses requests from pages of another origin (Origin, RFC 6454; Sec-Fetch-Site of Fetch Metadata).
    ///
    /// Another port of the same host is another origin, although cookies are shared between ports. For a picture on a
    /// page without TLS, browsers send neither field; the Referer (RFC 9110, 10.1.3) is checked instead, unless the
    /// page suppresses it. Throws `access-denied`, or `unauthenticated` for one of `origins`: its requests need a token
    /// that no browser adds by itself, since the cookie is `SameSite=Strict` and stays so.
    func refuseOtherOrigins(sharing origins: Set<String>) throws(Problem) {
        let site = headers[.known("Sec-Fetch-Site")]
        let origin = headers[.origin] ?? (site == nil ? headers[.known("Referer")] : nil)
        // “null” is an opaque origin and never matches.
        let isOwn = origin.map { Self.authority(of: $0.lowercased()) == head.authority?.lowercased() }
        guard [nil, "same-origin", "none"].contains(site), isOwn != false else {
            if let origin, origins.contains(origin) {
                throw Problem(
                    .unauthenticated,
                    "A page of \(origin) makes this request without a token, or with that of a cookie or Basic authentication.",
                    remedy: "Send it as a bearer token, or in the address of a picture (?token=)."
                )
            }
            throw Problem(
                .accessDenied,
                "A page of another origin\(origin.map { " (\($0))" } ?? "") makes this request.",
                remedy: """
                    Open the page of tintyped itself. If a proxy is in front, have it pass on the Host of the request; to show \
                    a picture on another page, use ?token= with a token of the role view; for its scripts, see tcp.origins.
                    """
            )
        }
    }

    /// True for a browser: a page can change `User-Agent` only with a preflight request (Fetch), which is refused here.
    var isBrowser: Bool { headers[.userAgent]?.hasPrefix("Mozilla/") == true }

    /// True if a page of another origin may have made this request, with the credentials that it came with.
    ///
    /// Call after ``refuseOtherOrigins(sharing:)``: the fields that are left are of the own origin. Other pages cannot add
    /// `X-Requested-With`, and their requests have no cookie (SameSite).
    func mayBeCrossSite(_ sent: SentToken?) -> Bool {
        guard isBrowser, sent == nil || sent?.place == .basic else { return false }
        return !["Sec-Fetch-Site", "Origin", "Referer", "X-Requested-With"].contains { headers.contains(.known($0)) }
    }

    /// True for a browser's preflight request (CORS-preflight, Fetch, 3.2.2).
    var isPreflight: Bool { method == .options && headers.contains(.known("Access-Control-Request-Method")) }

    /// Authority of a URI (RFC 3986, 3.2); the text itself if it has no scheme.
    private static func authority(of address: String) -> String {
        let rest = address.firstRange(of: "://").map { address[$0.upperBound...] } ?? address[...]
        return String(rest.prefix { !"/?#".contains($0) })
    }

    /// Host part of `host:port`; IPv6 addresses lose their brackets.
    private static func host(of authority: String) -> String {
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
            return String(authority[authority.index(after: authority.startIndex)..<end])
        }
        return String(authority.prefix { $0 != ":" })
    }
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
