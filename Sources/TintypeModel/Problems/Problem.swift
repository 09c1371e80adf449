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

/// Stable name of a kind of failure, used on the socket, on the command line and in log lines.
package enum ProblemCode: String, Hashable, Sendable, Codable, CaseIterable, WireType {
    case invalidRequest = "invalid-request"
    case unauthenticated
    case accessDenied = "access-denied"
    case notFound = "not-found"
    case cameraNotFound = "camera-not-found"
    case frameNotFound = "frame-not-found"
    case methodNotAllowed = "method-not-allowed"
    case requestTimeout = "request-timeout"
    case cameraAmbiguous = "camera-ambiguous"
    case cameraBusy = "camera-busy"
    case gapNotAllowed = "gap-not-allowed"
    case configurationConflict = "configuration-conflict"
    case tooLarge = "too-large"
    case configurationUnsupported = "configuration-unsupported"
    case tooManyRequests = "too-many-requests"
    case internalError = "internal"
    case cameraDenied = "camera-denied"
    case cameraRestricted = "camera-restricted"
    case deviceLost = "device-lost"
    case driverStuck = "driver-stuck"
    case noSignal = "no-signal"
    case usbBandwidth = "usb-bandwidth"
    case stopping
    case deadlineExceeded = "deadline-exceeded"
    case corruptOnly = "corrupt-only"
    case spoolFull = "spool-full"
    case spoolUnavailable = "spool-unavailable"
    case cameraFault = "camera-fault"
    case cameraOff = "camera-off"
    package var status: Int { kind.status }

    /// Exit status of `tintype` for this code, from 10 in the order of the cases.
    ///
    /// Scripts rely on these numbers, so new codes are appended. 38 is not used. 0 is success, 1 any failure without a
    /// problem document, 2 an unreachable daemon, 64 a usage error (sysexits.h).
    package var exitStatus: Int32 {
        let status = 10 + Int32(Self.allCases.prefix { $0 != self }.count)
        return status < 38 ? status : status + 1
    }

    /// `title` of RFC 9457, the same for every problem with this code.
    package var title: String { kind.title }

    private var kind: (status: Int, title: String) {
        switch self {
        case .invalidRequest: (400, "The request is not valid")
        case .unauthenticated: (401, "Credentials are required")
        case .accessDenied: (403, "Access denied")
        case .notFound: (404, "No such resource")
        case .cameraNotFound: (404, "No such camera")
        case .frameNotFound: (404, "No such frame")
        case .methodNotAllowed: (405, "Method not allowed")
        case .requestTimeout: (408, "The request took too long to arrive")
        case .cameraAmbiguous: (409, "Several cameras match")
        case .cameraBusy: (409, "The camera is already in use")
        case .gapNotAllowed: (409, "The stream may not be interrupted")
        case .configurationConflict: (412, "The configuration has changed")
        case .tooLarge: (413, "The request is too large")
        case .configurationUnsupported: (422, "The camera cannot do this")
        case .tooManyRequests: (429, "Too many requests")
        case .internalError: (500, "Internal error")
        case .cameraDenied: (503, "The daemon may not open the camera")
        case .cameraRestricted: (503, "The camera is withheld from the daemon")
        case .deviceLost: (503, "The camera is gone")
        case .driverStuck: (503, "The camera's driver does not answer")
        case .noSignal: (503, "No signal")
        case .usbBandwidth: (503, "Not enough USB bandwidth")
        case .stopping: (503, "Stopped before it was done")
        case .deadlineExceeded: (504, "No picture in time")
        case .corruptOnly: (504, "Only damaged pictures")
        case .spoolFull: (507, "The spool is full")
        case .spoolUnavailable: (507, "The spool cannot be used")
        case .cameraFault: (503, "The camera or its driver fails")
        case .cameraOff: (409, "The camera is off")
        }
    }
}
