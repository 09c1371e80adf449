// SPDX-License-Identifier: Apache-2.0
internal import TintypeClient
internal import TintypeModel

/// Which camera a command is about when none is named.
enum CameraChoice {
    /// `name`, or the only camera that the daemon has.
    ///
    /// Throws ``Problem``: `camera-not-found` where there is none, `camera-ambiguous` where there are several, and
    /// `invalid-request` where the name is empty.
    static func name(_ name: String?, at connection: some ControlExchange) async throws -> String {
        if let name { return try checked(name) }
        return try only(of: try await connection.cameras().cameras.map(\.name))
    }

    /// `name`, unless it is empty, as a variable of a shell is that was never set.
    static func checked(_ name: String) throws(Problem) -> String {
        guard name.isEmpty else { return name }
        throw Problem(
            .invalidRequest,
            "The camera's name is empty.",
            remedy: "Name a camera (tintype cameras lists them), or leave the name out.",
            field: "camera"
        )
    }

    static func only(of names: [String]) throws(Problem) -> String {
        guard let first = names.first else {
            throw Problem(
                .cameraNotFound,
                "tintyped has no camera.",
                remedy: "Plug one in, or read why it was not found: journalctl -u tintyped"
            )
        }
        guard names.count == 1 else {
            throw Problem(
                .cameraAmbiguous,
                "There are \(names.count) cameras: \(names.joined(separator: ", ")).",
                remedy: "Name one of them."
            )
        }
        return first
    }
}
