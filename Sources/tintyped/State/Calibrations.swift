// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Logging
internal import Synchronization
internal import TintypeModel
internal import TintypeSpool

/// The saved calibrations of all cameras: `STATE/calibrations/CAMERA.json`, read once at the start.
///
/// Any thread; only saving and forgetting wait for the disk.
final class Calibrations: Sendable {
    let state: StateFolder
    private var folder: String { state.folder + "/calibrations" }
    private let known = Mutex<[String: Calibration]>([:])

    /// None yet, to be kept in this folder.
    init(in state: StateFolder) { self.state = state }

    /// The calibration of a camera; nil for none.
    subscript(camera: String) -> Calibration? { known.withLock { $0[camera] } }

    /// Reads those that were saved; one that cannot be used is logged and left out.
    func load(logger: Logger) async {
        do throws(Problem) {
            let (state, folder) = (state, folder)
            let files = try await state.perform { () throws(FileError) -> [(name: String, bytes: [UInt8])] in
                // What cannot be read is nothing that can be used.
                try state.names(in: folder).map { name in
                    let path = state.path(of: name, in: folder)
                    return (name: name, bytes: (try? state.files.read(path, atMost: FileLimit.profile)) ?? [])
                }
            }
            for (name, bytes) in files {
                guard let calibration = try? WireFormat.decode(Calibration.self, from: bytes),
                    name == calibration.camera, calibration.isPossible
                else {
                    logger.warning(
                        "a saved calibration cannot be used: calibrate the camera again, or remove it",
                        metadata: ["file": "\(state.path(of: name, in: folder))"]
                    )
                    continue
                }
                known.withLock { $0[calibration.camera] = calibration }
            }
        } catch {
            logger.warning("the saved calibrations cannot be read: \(error)")
        }
    }

    /// Makes the folder where calibrations are saved, where it is missing.
    func prepare() async throws(Problem) {
        let (state, folder) = (state, folder)
        try await state.perform { () throws(FileError) in try state.makeFolders(to: folder) }
    }

    /// Saves a calibration in place of the camera's last one; returns once it is on the disk.
    func save(_ calibration: Calibration) async throws(Problem) {
        let (state, folder) = (state, folder)
        let bytes = (try? WireFormat.encode(calibration, pretty: true)) ?? []
        try await prepare()
        try await state.perform { () throws(FileError) in
            try state.write(bytes, as: calibration.camera, in: folder)
        }
        known.withLock { $0[calibration.camera] = calibration }
    }

    /// Removes the calibration of a camera, also one that cannot be used; throws `not-found` where there is none.
    func remove(_ camera: String) async throws(Problem) {
        let (files, path) = (state.files, state.path(of: camera, in: folder))
        let isThere = try await state.perform { () throws(FileError) in
            guard try files.status(of: path, following: false) != nil else { return false }
            try files.remove(path, isFlushed: true)
            return true
        }
        let wasKnown = known.withLock { $0.removeValue(forKey: camera) != nil }
        guard isThere || wasKnown else {
            throw Problem(
                .notFound,
                "The camera \(camera) has no saved calibration.",
                remedy: "There is nothing to forget; its lead is that of its configuration, or assumed."
            )
        }
    }
}
