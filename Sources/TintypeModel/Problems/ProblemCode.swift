// SPDX-License-Identifier: Apache-2.0

/// The stable name of a kind of failure; the same on the socket, in the command line and in log lines.
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

    /// The HTTP status of a reply with this code (RFC 9110).
    package var status: Int {
        switch self {
        case .invalidRequest: 400
        case .unauthenticated: 401
        case .accessDenied: 403
        case .notFound, .cameraNotFound, .frameNotFound: 404
        case .methodNotAllowed: 405
        case .requestTimeout: 408
        case .cameraAmbiguous, .cameraBusy, .gapNotAllowed, .cameraOff: 409
        case .configurationConflict: 412
        case .tooLarge: 413
        case .configurationUnsupported: 422
        case .tooManyRequests: 429
        case .internalError: 500
        case .cameraDenied, .cameraRestricted, .deviceLost, .driverStuck, .noSignal, .usbBandwidth, .stopping,
            .cameraFault:
            503
        case .deadlineExceeded, .corruptOnly: 504
        case .spoolFull, .spoolUnavailable: 507
        }
    }

    /// The exit status of `tintype` for this code: each has its own, from 10 up in the order of the cases.
    ///
    /// Scripts rely on them, so a new code is the last one, and 38 is given to none. 0 is success, 1 anything that is not a
    /// problem document, 2 a daemon that cannot be reached, 64 a wrong command line (sysexits.h).
    package var exitStatus: Int32 {
        let status = 10 + Int32(Self.allCases.prefix { $0 != self }.count)
        return status < 38 ? status : status + 1
    }

    /// The kind of failure in a few words (`title` of RFC 9457): the same for every problem of this code.
    package var title: String {
        switch self {
        case .invalidRequest: "The request is not valid"
        case .unauthenticated: "Credentials are required"
        case .accessDenied: "Access denied"
        case .notFound: "No such resource"
        case .cameraNotFound: "No such camera"
        case .frameNotFound: "No such frame"
        case .methodNotAllowed: "Method not allowed"
        case .requestTimeout: "The request took too long to arrive"
        case .cameraAmbiguous: "Several cameras match"
        case .cameraBusy: "The camera is already in use"
        case .gapNotAllowed: "The stream may not be interrupted"
        case .configurationConflict: "The configuration has changed"
        case .tooLarge: "The request is too large"
        case .configurationUnsupported: "The camera cannot do this"
        case .tooManyRequests: "Too many requests"
        case .internalError: "Internal error"
        case .cameraDenied: "The daemon may not open the camera"
        case .cameraRestricted: "The camera is withheld from the daemon"
        case .deviceLost: "The camera is gone"
        case .driverStuck: "The camera's driver does not answer"
        case .noSignal: "No signal"
        case .usbBandwidth: "Not enough USB bandwidth"
        case .stopping: "Stopped before it was done"
        case .deadlineExceeded: "No picture in time"
        case .corruptOnly: "Only damaged pictures"
        case .spoolFull: "The spool is full"
        case .spoolUnavailable: "The spool cannot be used"
        case .cameraFault: "The camera or its driver fails"
        case .cameraOff: "The camera is off"
        }
    }
}
