// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeModel
internal import TintypeSpool

/// The profiles that were saved by command: `STATE/profiles/CAMERA/NAME.json`, mode 0640 in folders of mode 0750.
struct ProfileStore: Sendable {
    /// The most saved profiles of a camera.
    static let most = 64

    /// The folder above `profiles`.
    let state: StateFolder
    private var files: any FileSystem { state.files }

    /// The profiles below this folder; nothing is made before the first is saved.
    init(in state: StateFolder) { self.state = state }

    /// The saved profiles of a camera, by name; one that cannot be used says why, and hides no other.
    func profiles(of camera: String) async throws(Problem) -> [ControlProfile] {
        try await perform { (store) throws(FileError) in
            let folder = store.path(of: camera)
            // A user may have put more there.
            return try store.state.names(in: folder).prefix(4 * Self.most).map { name in
                do throws(FileError) {
                    let profile = try store.read(name, in: folder)
                    if CameraName.isValid(name) { return profile }
                    let reason = "Its name is not a valid name of a profile. Remove it, or rename its file."
                    return Self.damaged(name, reason)
                } catch {
                    return Self.damaged(name, "\(store.state.problem(error))")
                }
            }
        }
    }

    /// One saved profile; nil if there is none of this name.
    func profile(_ name: String, of camera: String) async throws(Problem) -> ControlProfile? {
        try await perform { (store) throws(FileError) in
            let folder = store.path(of: camera)
            let path = store.state.path(of: name, in: folder)
            guard try store.files.status(of: path, following: false) != nil else { return nil }
            return try store.read(name, in: folder)
        }
    }

    /// Saves a profile; one of the same name is replaced.
    ///
    /// Returns once it is on the disk. Throws `too-large` for one of more than ``FileLimit/profile`` bytes, and
    /// `configuration-conflict` where the camera has ``most`` others.
    func save(_ settings: ControlSettings, as name: String, of camera: String) async throws(Problem) {
        let bytes = (try? WireFormat.encode(settings, pretty: true)) ?? []
        guard bytes.count < FileLimit.profile else {
            throw Problem(
                .tooLarge,
                "The profile \(name) takes \(bytes.count) bytes; the limit for a profile is \(FileLimit.profile).",
                remedy: "Save fewer controls, or shorter texts."
            )
        }
        let hasRoom = try await perform { (store) throws(FileError) in
            let folder = store.path(of: camera)
            try store.state.makeFolders(to: folder)
            let names = try store.state.names(in: folder)
            guard names.count < Self.most || names.contains(name) else { return false }
            try store.state.write(bytes, as: name, in: folder)
            return true
        }
        guard hasRoom else {
            throw Problem(
                .configurationConflict,
                "The camera \(camera) has \(Self.most) saved profiles, which is the limit.",
                remedy: "Remove one that is not needed (tintype controls profiles lists them)."
            )
        }
    }

    /// Removes a profile, also one whose name could not be given to a new one.
    ///
    /// Returns whether there was one.
    func remove(_ name: String, of camera: String) async throws(Problem) -> Bool {
        try await perform { (store) throws(FileError) in
            let folder = store.path(of: camera)
            // Of those that are there: no other name leads anywhere.
            guard try store.state.names(in: folder).contains(name) else { return false }
            try store.files.remove(store.state.path(of: name, in: folder), isFlushed: true)
            return true
        }
    }

    // MARK: - On a thread that may block

    private func path(of camera: String) -> String { "\(state.folder)/profiles/\(camera)" }

    private func perform<Value: Sendable>(
        _ body: @escaping @Sendable (ProfileStore) throws(FileError) -> Value
    ) async throws(Problem) -> Value {
        try await state.perform { () throws(FileError) in try body(self) }
    }

    private func read(_ name: String, in folder: String) throws(FileError) -> ControlProfile {
        let path = state.path(of: name, in: folder)
        let bytes = try files.read(path, atMost: FileLimit.profile)
        guard let settings = try? WireFormat.decode(ControlSettings.self, from: bytes) else {
            throw FileError("understand the profile", path, code: EBADMSG)
        }
        return ControlProfile(name: name, source: .saved, controls: settings)
    }

    /// A saved profile that cannot be used.
    private static func damaged(_ name: String, _ reason: String) -> ControlProfile {
        ControlProfile(name: name, source: .saved, controls: ControlSettings(), damage: reason)
    }
}
