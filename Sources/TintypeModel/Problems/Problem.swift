// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Reason for a failure and its remedy: an error, and a problem document (RFC 9457).
package struct Problem: Error, Hashable, Codable, WireObject, CustomStringConvertible {
    package var code: ProblemCode
    package var detail: String
    package var remedy: String
    package var retryAfterMs: Milliseconds?
    package var field: String?
    package var cause: SignalFault?

    /// True if pictures arrived and `reject` excluded them, which is not a camera failure.
    package var isRejection: Bool { cause?.isOfInput == false }

    package init(
        _ code: ProblemCode,
        _ detail: String,
        remedy: String,
        retryAfter: Duration? = nil,
        field: String? = nil,
        cause: SignalFault? = nil
    ) {
        (self.code, self.detail, self.remedy) = (code, detail, remedy)
        retryAfterMs = retryAfter.map(Milliseconds.init)
        (self.field, self.cause) = (field, cause)
    }

    package static let summary = "A problem document (RFC 9457)."
    package static let fields: [Field] = [
        Field("type", of: String.schema, "urn:tintype:problem:CODE", ["format": "uri"], isRequired: true),
        Field("title", of: String.schema, "The kind of failure in a few words.", isRequired: true),
        Field("status", of: Int.schema, "The HTTP status.", isRequired: true),
        Field("code", \.code, "The stable name of the kind of failure."),
        Field("detail", \.detail, "The reason, in one sentence."),
        Field("remedy", \.remedy, "The remedy, in one sentence."),
        Field("retryAfterMs", \.retryAfterMs, "The time after which to retry; missing where waiting does not help."),
        Field("field", \.field, "The field of the request that is wrong."),
        Field("cause", \.cause, "With no-signal: the reason; the last three are pictures that reject refuses."),
    ]

    package var description: String { "\(detail) \(remedy)" }

    /// Media type of a problem document (RFC 9457, section 3).
    package static let mediaType = "application/problem+json"

    /// Derived from `code`; encoded, not decoded.
    private enum DerivedKeys: String, CodingKey { case type, title, status }

    package func encode(to encoder: any Encoder) throws {
        var derived = encoder.container(keyedBy: DerivedKeys.self)
        try derived.encode("urn:tintype:problem:\(code.rawValue)", forKey: .type)
        try derived.encode(code.title, forKey: .title)
        try derived.encode(code.status, forKey: .status)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(code, forKey: .code)
        try container.encode(detail, forKey: .detail)
        try container.encode(remedy, forKey: .remedy)
        try container.encodeIfPresent(retryAfterMs, forKey: .retryAfterMs)
        try container.encodeIfPresent(field, forKey: .field)
        try container.encodeIfPresent(cause, forKey: .cause)
    }
}

package enum SignalFault: String, Hashable, Sendable, Codable, CaseIterable, WireType {
    /// No device attached, or switched off (ENOLINK, `V4L2_IN_ST_NO_SIGNAL`).
    case noSignal = "no-signal"
    /// The device cannot lock to the signal (ENOLCK, `V4L2_IN_ST_NO_H_LOCK` and similar).
    case noLock = "no-lock"
    /// The signal is out of the device's range (ERANGE).
    case outOfRange = "out-of-range"
    /// Pictures arrive, but `reject` excludes them, as with ``uniform`` and ``frozen``.
    case black
    case uniform
    case frozen

    /// True for a fault of the input signal, false for the contents of pictures.
    package var isOfInput: Bool { [.noSignal, .noLock, .outOfRange].contains(self) }
}

package enum ErrnoText {
    /// Text of strerror_r(3) with a lowercase initial, as in `no such file or directory`; `error N` for an unknown
    /// number.
    package static func of(_ code: Int32) -> String {
        let text = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let base = buffer.baseAddress, unsafe strerror_r(code, base, buffer.count) == 0 else {
                return "error \(code)"
            }
            return unsafe String(cString: base)
        }
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}
