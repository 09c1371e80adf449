// SPDX-License-Identifier: Apache-2.0

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

    /// HTTP status of a reply with this code (RFC 9110).
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
