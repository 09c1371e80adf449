// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import tintyped

/// First three lines of a configuration file; further keys of the camera follow, indented by four spaces.
let cameraHead = "cameras:\n  a:\n    device: /dev/video0\n"

/// Camera of a configuration file with these keys.
func configuredCamera(_ keys: String...) throws -> CameraConfiguration {
    let text = cameraHead + keys.map { "    \($0)\n" }.joined()
    return try #require(try ConfigurationReader.read(text, file: "f").cameras.first)
}

/// Expects one fault, with `start` after the file's name and `says` in the line.
func expectFault(_ text: String, _ start: String, _ says: String) {
    let error = #expect(throws: ConfigurationError.self) { try ConfigurationReader.read(text, file: "/etc/f.yaml") }
    let line = error?.description ?? ""
    #expect(error?.faults.count == 1 && line.hasPrefix("/etc/f.yaml:\(start)"), "\(line)")
    #expect(line.contains(says), "\(line)")
}

extension DaemonSettings {
    /// Settings with these cameras and no other.
    static func only(_ cameras: [CameraConfiguration], below folder: String = "/") throws -> DaemonSettings {
        var settings = try DaemonSettings(nil, DaemonFlags(workingFolder: folder))
        (settings.patterns, settings.discovers) = (cameras, false)
        return settings
    }
}
