// SPDX-License-Identifier: Apache-2.0
internal import TintypeClient
internal import TintypeModel

// The remedies of the daemon and of the client are those of a service with a socket and a configuration; here is neither.

extension Problem {
    /// The problem with the remedy that helps where no service is asked.
    var withoutService: Problem {
        var problem = self
        switch code {
        case .cameraBusy: problem.remedy = "If it is tintyped (“tintype status”), leave out --once. \(remedy)"
        case .cameraNotFound: problem.remedy = "Plug one in, or give its node by --device, such as /dev/video0."
        case .cameraAmbiguous: problem.remedy = "Give the node of one of them by --device, such as /dev/video0."
        case .cameraDenied:
            problem.remedy =
                "Run the command as a user who may read and write the node, usually a member of the group video."
        case .cameraRestricted:
            problem.remedy =
                "Allow the node in the container or the unit that runs this command "
                + "(DeviceAllow=char-video4linux rw)."
        case .deviceLost:
            problem.remedy = "Check the camera's cable and port, and see the kernel's log (journalctl -k)."
        case .deadlineExceeded: problem.remedy = "Allow more time (--deadline), and check the camera's cable and port."
        default: break
        }
        return problem
    }
}

extension ClientError {
    /// The error with the remedy that helps where no service is asked, and with the end of the daemon at the path `program`,
    /// whose exit status is `status`; nil where that cannot be told.
    func withoutService(_ program: String, status: CInt?) -> ClientError {
        guard kind == .closed, let status, status != 0 else {
            let remedy =
                kind == .deadline
                ? "Allow more time (--deadline); if that does not help, see the kernel's log (journalctl -k)."
                : "Ask again; if that does not help, install tintype and tintyped of one version."
            return ClientError(kind, detail, remedy: remedy)
        }
        let ending = status > 128 ? "was ended by signal \(status - 128)" : "ended with status \(status)"
        return ClientError(
            .closed,
            "\(program) \(ending) before it had answered.",
            remedy: status > 128 ? "Ask again." : "Its own message is above."
        )
    }
}
