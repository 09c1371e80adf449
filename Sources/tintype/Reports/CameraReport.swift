// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Cameras as a table.
enum CameraReport {
    static func table(_ cameras: [CameraStatus], width: Int? = nil) -> PrintedText {
        var table = TextTable(
            ["NAME", "STATE", "FORMAT", "ACCESS", "PATH", "CARD"],
            first: ["NAME", "STATE", "PATH", "CARD", "FORMAT"],
            cut: ["CARD", "PATH"]
        )
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
        return table.text(width: width)
    }

    /// For each camera the line to paste into the configuration; empty where there is none to give.
    static func configuration(_ cameras: [CameraStatus]) -> PrintedText {
        let lines = cameras.compactMap { camera in
            camera.match.map { match -> PrintedText in "  \(camera.name): {match: \(match)}\n" }
        }
        return lines.isEmpty ? "" : "\nFor /etc/tintype/tintyped.yaml:\n\ncameras:\n" + PrintedText(lines)
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
