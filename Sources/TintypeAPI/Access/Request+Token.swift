// SPDX-License-Identifier: Apache-2.0
internal import FoundationEssentials
internal import Hummingbird
internal import TintypeModel

struct SentToken {
    enum Place { case bearer, basic, query, cookie }

    let token: String
    let place: Place

    /// True if browsers attach it on their own, whichever page sends the request.
    var isAmbient: Bool { place == .basic || place == .cookie }
}

enum TokenField {
    /// Query parameter, accepted by picture paths only.
    static let parameter = "token"
    static let cookie = "tintype"

    /// `Set-Cookie` value, `Secure` for an https Origin, that stores `token` for 30 days; nil deletes it (RFC 6265bis).
    ///
    /// For every path: a proxy may serve the API below one that the daemon does not know.
    static func cookie(_ token: String?, of request: Request) -> String {
        let secure = request.headers[.origin]?.lowercased().hasPrefix("https://") == true ? "; Secure" : ""
        let age = token == nil ? 0 : 2_592_000
        return "\(cookie)=\(token ?? ""); Path=/; Max-Age=\(age); HttpOnly; SameSite=Strict\(secure)"
    }
}

extension Request {
    /// Token from a bearer header (RFC 6750, 2.1), Basic password (RFC 7617), query (if `inQuery`) or cookie, in order.
    ///
    /// Bearer, Basic and cookie values without ``AccessRule/tokenPrefix`` count as no token: a proxy may pass on
    /// credentials of its own.
    func token(inQuery: Bool) -> SentToken? {
        if let field = headers[.authorization], let sent = Self.token(inAuthorization: field) { return sent }
        if inQuery, let value = uri.queryParameters[Substring(TokenField.parameter)] {
            return SentToken(token: String(value), place: .query)
        }
        guard let cookie = cookies[TokenField.cookie]?.value, Self.isToken(cookie) else { return nil }
        return SentToken(token: cookie, place: .cookie)
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

    /// The request without its query token, to keep it from handlers.
    var withoutToken: Request {
        guard uri.queryParameters[Substring(TokenField.parameter)] != nil, let query = uri.query else { return self }
        let kept = query.split(separator: "&").filter { pair in pair.prefix { $0 != "=" } != TokenField.parameter }
        var head = head
        head.path = uri.path + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&"))
        return Request(head: head, body: body)
    }
}
