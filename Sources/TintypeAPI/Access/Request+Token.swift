// SPDX-License-Identifier: Apache-2.0
internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import TintypeModel

/// A token that a client has sent, and how.
struct SentToken {
    enum Place {
        case bearer, basic, query, cookie
    }

    let token: String
    let place: Place

    /// Whether a browser sends it by itself, whichever page asks.
    var isAmbient: Bool { place == .basic || place == .cookie }
}

/// Where a token is sent.
enum TokenField {
    /// The name of the parameter of paths of pictures.
    static let parameter = "token"
    /// The name of the cookie that signing in sets.
    static let cookie = "tintype"

    /// The value of `Set-Cookie` that keeps a token for 30 days, or that ends a session where it is nil (RFC 6265, and
    /// SameSite of its draft 6265bis).
    ///
    /// With `Secure` where the browser says that it came by TLS (Origin).
    static func cookie(_ token: String?, of request: Request) -> String {
        let secure = request.headers[.origin]?.lowercased().hasPrefix("https://") == true ? "; Secure" : ""
        let age = token == nil ? 0 : 2_592_000
        return "\(cookie)=\(token ?? ""); Path=/; Max-Age=\(age); HttpOnly; SameSite=Strict\(secure)"
    }
}

extension Request {
    /// The token that the client sends: as a bearer token (RFC 6750, 2.1), as the password of Basic authentication
    /// (RFC 7617), in the query where `inQuery`, or in a cookie; nil where there is none.
    ///
    /// What does not begin as a token does is none: a proxy may pass on what it has asked for itself.
    func token(inQuery: Bool) -> SentToken? {
        if let field = headers[.authorization], let sent = Self.token(inAuthorization: field) { return sent }
        if inQuery, let value = uri.queryParameters[Substring(TokenField.parameter)] {
            return SentToken(token: String(value), place: .query)
        }
        for pair in headers[values: .cookie].flatMap({ $0.split(separator: ";") }) {
            let parts = pair.split(separator: "=", maxSplits: 1).map { $0.trimming { $0 == " " } }
            if parts.count == 2, parts[0] == TokenField.cookie, Self.isToken(parts[1]) {
                return SentToken(token: String(parts[1]), place: .cookie)
            }
        }
        return nil
    }

    private static func token(inAuthorization field: String) -> SentToken? {
        let parts = field.split(separator: " ", omittingEmptySubsequences: true)
        guard parts.count == 2 else { return nil }
        switch parts[0].lowercased() {
        case "bearer": return isToken(parts[1]) ? SentToken(token: String(parts[1]), place: .bearer) : nil
        case "basic":
            guard let data = Data(base64Encoded: String(parts[1])),
                let password = String(bytes: data, encoding: .utf8)?.split(separator: ":", maxSplits: 1).last
            else { return nil }
            return isToken(password) ? SentToken(token: String(password), place: .basic) : nil
        default: return nil
        }
    }

    private static func isToken(_ text: some StringProtocol) -> Bool { text.hasPrefix(AccessRule.tokenPrefix) }

    /// The same request without the token in its query, which nothing else is to see.
    var withoutToken: Request {
        guard uri.queryParameters[Substring(TokenField.parameter)] != nil, let query = uri.query else { return self }
        let kept = query.split(separator: "&").filter { pair in
            pair.prefix { $0 != "=" } != TokenField.parameter
        }
        var head = head
        head.path = uri.path + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&"))
        return Request(head: head, body: body)
    }
}

extension Substring {
    fileprivate func trimming(where isLeftOut: (Character) -> Bool) -> Substring {
        var rest = self.drop(while: isLeftOut)
        while let last = rest.last, isLeftOut(last) { rest.removeLast() }
        return rest
    }
}
