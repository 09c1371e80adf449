// SPDX-License-Identifier: Apache-2.0

/// Target of an upload: `REMOTE:FOLDER/NAME` for rclone(1), or an address of http or https, with fields in braces.
package struct UploadTarget: Hashable, Sendable, CustomStringConvertible {
    package enum Means: Sendable {
        case rclone
        case http
    }

    package struct Fault: Error, Equatable {
        package let detail: String
        package let remedy: String
    }

    package let means: Means
    package let description: String
    /// Up to the last slash, or colon, before the first field.
    private let folder: String
    private let name: String
    /// The time is in microseconds; no field has a slash but the path within the folder of the camera.
    private static let fields = ["{camera}", "{path}", "{id}", "{date}", "{time}"]

    package static let remedy =
        "Give one such as s3:bucket/site/{camera}/{path} or https://example.org/upload/{id}.jpg."

    package init(_ text: String) throws(Fault) {
        let isHTTP = text.wholeMatch(of: /https?:\/\/[^\x00-\x20"\\\x7F\/?#{}]+[^\x00-\x20"\\\x7F]*/) != nil
        // A name of a remote (rclone: letters, digits, _, -, ., + and @; not first -), or :backend: made on the fly.
        let isRemote =
            text.wholeMatch(of: /(?::[a-z0-9]+|[A-Za-z0-9_][A-Za-z0-9_.+@-]*):(?!\/\/)[^\x00-\x1F\x7F]*/) != nil
        let isWeb = text.hasPrefix("http:") || text.hasPrefix("https:")
        guard text.utf8.count <= 2048, isHTTP || isRemote && !isWeb else {
            throw Fault(detail: "is no target of an upload.", remedy: Self.remedy)
        }
        (description, means) = (text, isHTTP ? .http : .rclone)
        guard !Self.fields.reduce(text, { $0.replacing($1, with: "x") }).contains("{") else {
            let known = Self.fields.joined(separator: ", ")
            throw Fault(detail: "has an unknown field in braces.", remedy: "Use some of \(known).")
        }
        let isOfCamera = text.contains("{camera}") && (text.contains("{path}") || text.contains("{time}"))
        // A server may well know the pictures apart by the time of the request.
        guard text.contains("{id}") || isOfCamera || isHTTP && !text.contains("{") else {
            let remedy = "Add {id}, or {camera} and {path}, or {camera}, {date} and {time}. \(Self.remedy)"
            throw Fault(detail: "gives several pictures one name.", remedy: remedy)
        }
        let fixed = text.prefix { $0 != "{" }
        let end =
            (fixed.lastIndex(of: "/") ?? fixed.lastIndex(of: ":")).map { text.index(after: $0) } ?? text.startIndex
        (folder, name) = (String(text[..<end]), String(text[end...]))
        let names = name.split(separator: "/", omittingEmptySubsequences: false)
        guard isHTTP || !names.contains(where: { ["", ".", ".."].contains($0) }) else {
            throw Fault(detail: "has an empty name, “.” or “..” in its path.", remedy: Self.remedy)
        }
    }

    /// Folder of all pictures, without a final slash unless it is the root of a remote: `s3:bucket/site`.
    package var base: String {
        folder.hasSuffix("/") && !folder.hasSuffix(":/") ? String(folder.dropLast()) : folder
    }

    /// Name of a picture below ``base``, or for HTTP its whole address.
    package func name(of picture: WorkPicture) -> String {
        // As in 2026-11-21T14:30:12.345678Z.
        let time = "\(picture.capturedAt)"
        // The path may have braces.
        let values = [
            ("{camera}", picture.camera), ("{id}", "\(picture.id)"), ("{date}", String(time.prefix(10))),
            ("{time}", time.dropFirst(11).filter { $0 != ":" }), ("{path}", picture.path),
        ]
        return values.reduce(means == .http ? description : name) { text, field in
            text.replacing(field.0, with: means == .http ? field.1.percentEncoded(keeping: "/") : field.1)
        }
    }

    /// Without parts that may be secret: user information, path and query of an address of http.
    package var publicPart: String {
        means == .http ? HTTPAddress.publicPart(description) : description
    }

    var hasUser: Bool { means == .http && HTTPAddress.authority(of: description).contains("@") }
}

extension String {
    /// Percent-encoded but for unreserved characters and those of `plain` (RFC 3986, 2.1).
    package func percentEncoded(keeping plain: String = "") -> String {
        utf8.map { byte in
            let letter = Character(UnicodeScalar(byte))
            let isUnreserved = letter.isASCII && (letter.isLetter || letter.isNumber || "-._~".contains(letter))
            let digits = String(byte, radix: 16, uppercase: true)
            let isKept = isUnreserved || plain.contains(letter)
            return isKept ? String(letter) : "%" + (digits.count < 2 ? "0" : "") + digits
        }.joined()
    }
}

package struct UploadOptions: Hashable, Sendable, Codable, WireObject {
    package enum Method: String, Hashable, Sendable, Codable, CaseIterable, WireType {
        case put = "PUT"
        case post = "POST"
    }

    package var to: String
    package var order = FrameOrder.oldest
    package var limit: Int?
    package var method: Method?
    package var headers: [String: String]?
    package var record: Bool?
    package init(to: String) { self.to = to }
    package var publicTarget: String { (try? UploadTarget(to))?.publicPart ?? "" }
    package static let limitRange = 1024...(1 << 40)
    package static let summary = "Where and how pictures are uploaded."
    package static let fields: [Field] = [
        Field("to", \.to, "The target, such as s3:bucket/site/{camera}/{path} or https://example.org/{id}.jpg."),
        Field("order", \.order, "The order of the pictures.", ["default": "oldest"]),
        Field("limit", \.limit, "The greatest number of bytes per second.", .range(limitRange)),
        Field("method", \.method, "The method of HTTP."),
        Field("headers", \.headers, "Header fields of HTTP; they may be secret."),
        Field("record", \.record, "Whether the record of each picture is put beside it, as .json."),
    ]
}

/// Body of `POST /v1/jobs`.
package struct JobRequest: Hashable, WireObject, WireRequest {
    package var filter = FrameFilter.everything
    package var options = UploadOptions(to: "")
    package var spool: String?
    package var priority = 0
    package init() {}
    package init(_ filter: FrameFilter, _ options: UploadOptions) { (self.filter, self.options) = (filter, options) }
    package static let summary = "Stored pictures to upload once."
    package static let fields: [Field] =
        [Field("where", \.filter, "The pictures; all() for all of them.")]
        + UploadOptions.fields.filter { ["to", "order", "limit"].contains($0.name) }.map { $0.within(\.options) } + [
            Field("record", \.options.record, "Whether the record of each is put beside it.", ["default": false]),
            Field("spool", \.spool, "The spool of the pictures; required if there are several."),
            Field("priority", \.priority, "Higher priorities go first.", .range(Job.priorityRange).defaulting(to: 0)),
        ]

    package mutating func check(_ given: [String: FieldValue]) throws(Problem) {
        try given.refuseEmptyFilter()
        if options.record == false { options.record = nil }
        let target: UploadTarget
        do throws(UploadTarget.Fault) {
            target = try UploadTarget(options.to)
        } catch {
            throw .invalid(field: "to", error.detail, remedy: error.remedy)
        }
        if options.record == true, target.means == .http {
            throw .invalid(field: "record", "is not for targets of http and https.", remedy: "Leave it out.")
        }
        guard target.hasUser else { return }
        let remedy = "Add a rule to the configuration (uploads), with headers: they are not stored with the job."
        throw .invalid(field: "to", "has a user or a password.", remedy: remedy)
    }
}
