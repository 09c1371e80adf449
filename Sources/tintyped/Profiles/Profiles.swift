// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

struct Profiles: Sendable {
    private let configured: [String: [ControlProfile]]
    private let store: ProfileStore

    init(cameras: [CameraConfiguration], in store: ProfileStore) {
        configured = Dictionary(cameras.map { ($0.name, $0.profiles) }, uniquingKeysWith: { first, _ in first })
        self.store = store
    }

    /// Sorted by name; a configured profile overrides a saved one of the same name.
    func all(of camera: String) async throws(Problem) -> [ControlProfile] {
        let own = configured[camera] ?? []
        let saved = try await store.profiles(of: camera).filter { profile in !own.contains { $0.name == profile.name } }
        return (own + saved).sorted { $0.name < $1.name }
    }

    /// Throws `not-found` if there is none of this name.
    func profile(_ name: String, of camera: String) async throws(Problem) -> ControlProfile {
        if let own = configured[camera]?.first(where: { $0.name == name }) { return own }
        // Reads only that file: damage of other profiles does not matter.
        guard CameraName.isValid(name), let profile = try await store.profile(name, of: camera) else {
            let names = try await all(of: camera).map(\.name)
            let remedy = Spelling.remedy(for: name, among: names, otherwise: "Save one: it has none yet.")
            throw Problem(.notFound, "The camera \(camera) has no profile “\(name)”.", remedy: remedy)
        }
        return profile
    }

    /// Throws `invalid-request` for an invalid name, and `configuration-conflict` if it is in the configuration.
    func save(_ settings: ControlSettings, as name: String, of camera: String) async throws(Problem) -> ControlProfile {
        guard CameraName.isValid(name) else {
            throw .invalid(field: "profile", "is not a valid name of a profile: “\(name)”.", remedy: CameraName.remedy)
        }
        try refuseConfigured(name, of: camera, "replaced")
        try await store.save(settings, as: name, of: camera)
        return ControlProfile(name: name, source: .saved, controls: settings)
    }

    /// Throws `configuration-conflict` if the name is in the configuration, and `not-found`.
    func remove(_ name: String, of camera: String) async throws(Problem) {
        try refuseConfigured(name, of: camera, "removed")
        if try await !store.remove(name, of: camera) { _ = try await profile(name, of: camera) }
    }

    private func refuseConfigured(_ name: String, of camera: String, _ what: String) throws(Problem) {
        guard configured[camera]?.contains(where: { $0.name == name }) ?? false else { return }
        let detail = "The profile \(name) of the camera \(camera) is in the configuration file and cannot be \(what)."
        let remedy = "Use another name, or change the configuration (cameras.\(camera).profiles.\(name))."
        throw Problem(.configurationConflict, detail, remedy: remedy)
    }
}
