// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeModel
internal import TintypeSpool
internal import TintypeSystem

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

/// Profiles saved by command: `STATE/profiles/CAMERA/NAME.json`, mode 0640 in folders of mode 0750.
///
/// Files are replaced atomically and flushed. All calls share a thread, since a disk may not respond.
struct ProfileStore: Sendable {
    static let most = 64
    /// Longer calls wait for a disk that does not respond.
    private static let timeLimit = Duration.seconds(5)
    private static let folderMode: UInt32 = 0o750
    private static let fileMode: UInt32 = 0o640

    private let state: String
    private let clock: any MonotonicClock
    private let files: any FileSystem = SystemFiles()
    private let thread = WorkerThreads(name: "tt-state", count: 1) {}

    /// The folder is not created before the first save; `clock` is that of the deadlines.
    init(in state: String, clock: any MonotonicClock) { (self.state, self.clock) = (state, clock) }

    /// An unusable profile has its `damage` set and does not affect others.
    func profiles(of camera: String) async throws(Problem) -> [ControlProfile] {
        try await perform { (store) throws(FileError) in
            try store.names(of: camera).map { name in
                do throws(FileError) {
                    return try store.read(name, of: camera)
                } catch {
                    let damage = "\(store.problem(error))"
                    return ControlProfile(name: name, source: .saved, controls: ControlSettings(), damage: damage)
                }
            }
        }
    }

    func profile(_ name: String, of camera: String) async throws(Problem) -> ControlProfile? {
        try await perform { (store) throws(FileError) in
            let isSaved = try store.files.status(of: store.path(of: name, camera), following: false) != nil
            return try isSaved ? store.read(name, of: camera) : nil
        }
    }

    /// Saves or replaces a profile; durable on return.
    ///
    /// Throws `too-large` above ``FileLimit/profile`` bytes, and `configuration-conflict` if there are ``most`` others.
    func save(_ settings: ControlSettings, as name: String, of camera: String) async throws(Problem) {
        let bytes = (try? WireFormat.encode(settings, pretty: true)) ?? []
        guard bytes.count < FileLimit.profile else {
            let (count, limit) = (bytes.count, FileLimit.profile)
            let detail = "The profile \(name) takes \(count) bytes; the limit for a profile is \(limit)."
            throw Problem(.tooLarge, detail, remedy: "Save fewer controls, or shorter texts.")
        }
        let hasRoom = try await perform { (store) throws(FileError) in
            try store.makeFolder(of: camera)
            let names = try store.names(of: camera)
            guard names.count < Self.most || names.contains(name) else { return false }
            let (path, lines) = (store.path(of: name, camera), bytes + [UInt8(ascii: "\n")])
            let folder = store.folder(of: camera)
            let temporary = "\(folder)/.\(name)"
            try store.files.replaceFile(path, by: lines, mode: Self.fileMode, isFlushed: true, through: temporary)
            try store.files.syncFolder(folder)
            return true
        }
        guard hasRoom else {
            let detail = "The camera \(camera) has \(Self.most) saved profiles, which is the limit."
            let remedy = "Remove one that is not needed (tintype controls profiles lists them)."
            throw Problem(.configurationConflict, detail, remedy: remedy)
        }
    }

    func remove(_ name: String, of camera: String) async throws(Problem) -> Bool {
        try await perform { (store) throws(FileError) in
            // Only listed names, which cannot lead to another folder.
            guard try store.names(of: camera).contains(name) else { return false }
            try store.files.remove(store.path(of: name, camera), isFlushed: true)
            return true
        }
    }

    private func perform<Value: Sendable>(
        _ body: @escaping @Sendable (ProfileStore) throws(FileError) -> Value
    ) async throws(Problem) -> Value {
        let detail = "The disk of \(state) has not answered for \(SpokenDuration.text(Self.timeLimit))."
        let remedy = "Look for errors of the disk in the kernel's log (dmesg)."
        let late = Problem(.spoolUnavailable, detail, remedy: remedy, retryAfter: .seconds(10))
        return try await thread.perform(until: clock.now + Self.timeLimit, by: clock, otherwise: late) {
            _ throws(Problem) in
            do throws(FileError) {
                return try body(self)
            } catch {
                throw problem(error)
            }
        }
    }

    private func problem(_ error: FileError) -> Problem {
        var problem = error.problem
        switch error.code {
        case EBADMSG: problem.remedy = "Save it again, or remove the file."
        case EISDIR: problem.remedy = "Remove that folder."
        case EACCES, EPERM, EROFS, ENOENT, ENOTDIR:
            problem.remedy =
                "Let the daemon's user (uid \(geteuid())) make and write \(state), or name another folder with --state."
        default: break
        }
        return problem
    }

    // MARK: - On the thread that may block

    private func folder(of camera: String) -> String { "\(state)/profiles/\(camera)" }
    private func path(of name: String, _ camera: String) -> String { "\(folder(of: camera))/\(name).json" }

    /// Empty if the folder does not exist; without files that have no name of a profile.
    private func names(of camera: String) throws(FileError) -> [String] {
        guard try files.status(of: folder(of: camera), following: false) != nil else { return [] }
        return try files.names(in: folder(of: camera)).compactMap {
            $0.wholeMatch(of: /(.*)\.json/).map { String($0.1) }
        }
        .filter(CameraName.isValid)
    }

    private func makeFolder(of camera: String) throws(FileError) {
        // The state folder itself may be a symbolic link; its contents belong to the daemon.
        try files.makeFolderIfMissing(state, mode: Self.folderMode, following: true)
        var folder = state
        for name in ["profiles", camera] {
            let parent = folder
            folder += "/\(name)"
            try files.makeFolderIfMissing(folder, mode: Self.folderMode)
            // Also for an existing folder: its creator may have been killed before the flush.
            try files.syncFolder(parent)
        }
    }

    private func read(_ name: String, of camera: String) throws(FileError) -> ControlProfile {
        let path = path(of: name, camera)
        let bytes = try files.read(path, atMost: FileLimit.profile)
        guard let settings = try? WireFormat.decode(ControlSettings.self, from: bytes) else {
            throw FileError("understand the profile", path, code: EBADMSG)
        }
        return ControlProfile(name: name, source: .saved, controls: settings)
    }
}
