// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Status line for systemctl(1): the socket and the state of each camera.
enum StatusText {
    /// Maximum bytes; systemd accepts messages of up to 4096 bytes.
    private static let longest = 3000

    /// One line, with faulty cameras first; cameras that do not fit are counted.
    static func line(serving socket: String, _ cameras: [CameraStatus]) -> String {
        var text = "Serving on \(socket)"
        let all = cameras.map { (isWell: isWell($0), words: words(of: $0)) }
        let sorted = all.filter { !$0.isWell } + all.filter(\.isWell)
        for (index, camera) in sorted.enumerated() {
            guard text.utf8.count + camera.words.utf8.count <= longest else {
                return text + "; and \(sorted.count - index) more"
            }
            text += (index == 0 ? ". " : "; ") + camera.words
        }
        return text
    }

    private static func isWell(_ camera: CameraStatus) -> Bool {
        camera.state.reason == nil && camera.authorization == .authorized
    }

    private static func words(of camera: CameraStatus) -> String {
        let reason = camera.state.reason.map { " (\($0.detail))" } ?? ""
        let access = camera.authorization.status
        let word = access == .authorized ? camera.state.name.rawValue : access.rawValue
        return "\(camera.name): \(word)\(reason)"
    }
}
