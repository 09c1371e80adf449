// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Cameras as a table.
enum CameraReport {
    static func table(_ cameras: [CameraStatus]) -> String {
        var table = TextTable(["NAME", "STATE", "FORMAT", "AUTHORIZATION", "PATH", "CARD"])
        for camera in cameras {
            table.add([
                camera.name,
                camera.state.name.rawValue,
                camera.format?.description ?? "",
                camera.authorization.word,
                camera.identity?.path ?? "",
                camera.identity?.card ?? "",
            ])
        }
        return table.text
    }

    /// For each camera the line to paste into the configuration; empty where there is none to give.
    static func configuration(_ cameras: [CameraStatus]) -> String {
        let lines = cameras.compactMap { camera in
            camera.match.map { "  \(camera.name): {match: \($0)}\n" }
        }
        return lines.isEmpty ? "" : "\nFor /etc/tintype/tintyped.yaml:\n\ncameras:\n" + lines.joined()
    }
}

extension CameraAuthorization {
    /// The case without its payload.
    var word: String {
        switch self {
        case .absent: "absent"
        case .authorized: "authorized"
        case .denied: "denied"
        case .restricted: "restricted"
        }
    }
}
