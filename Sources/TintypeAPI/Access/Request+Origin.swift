// SPDX-License-Identifier: Apache-2.0
internal import HTTPTypes
internal import Hummingbird
internal import TintypeModel

/// What keeps pages of others from using a browser's access.
extension Request {
    /// Refuses a request for a name that is not the daemon's: of a page whose name leads to this address since it was
    /// loaded (DNS rebinding).
    ///
    /// An address in place of a name is no such page. Throws `access-denied`.
    func refuseOtherHosts(than hosts: Set<String>) throws(Problem) {
        // Without the field it is no browser.
        guard let authority = head.authority, !authority.isEmpty else { return }
        let host = Self.host(of: authority).lowercased()
        guard !TCPAddress.isAddress(host), host != "localhost", !hosts.contains(host) else { return }
        throw Problem(
            .accessDenied,
            "The request is for the host “\(host)”, which is no name of this tintyped.",
            remedy: "Use its address, or add the name to tcp.hosts in its configuration."
        )
    }

    /// Refuses a request that a page of another origin makes (Origin, RFC 6454, and Sec-Fetch-Site of Fetch Metadata), also
    /// of another port of the same host: cookies know no ports.
    ///
    /// Of a picture on a page without TLS a browser sends neither: there is the page's Referer then (RFC 9110, 10.1.3), unless
    /// the page keeps it back. Throws `access-denied`.
    func refuseOtherOrigins() throws(Problem) {
        let site = headers[.known("Sec-Fetch-Site")]
        let origin = headers[.origin] ?? (site == nil ? headers[.known("Referer")] : nil)
        // “null” is an origin that does not say which it is.
        let isOwn = origin.map {
            Self.authority(of: $0.lowercased()) == head.authority?.lowercased()
        }
        guard [nil, "same-origin", "none"].contains(site), isOwn != false else {
            throw Problem(
                .accessDenied,
                "A page of another origin\(origin.map { " (\($0))" } ?? "") makes this request.",
                remedy: """
                    Open the page of tintyped itself. If a proxy is in front, have it pass on the Host of the request; to show \
                    a picture on another page, use ?token= with a token of the role view.
                    """
            )
        }
    }

    /// The authority of an address (RFC 3986, 3.2); the text itself where it has no scheme.
    private static func authority(of address: String) -> String {
        let rest = address.firstRange(of: "://").map { address[$0.upperBound...] } ?? address[...]
        return String(rest.prefix { !"/?#".contains($0) })
    }

    /// The host of `host:port`, an address of IPv6 without its brackets.
    private static func host(of authority: String) -> String {
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
            return String(authority[authority.index(after: authority.startIndex)..<end])
        }
        return String(authority.prefix { $0 != ":" })
    }
}
