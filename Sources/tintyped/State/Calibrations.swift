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
    private static let ending = ".json"

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
                guard try state.files.status(of: folder, following: false) != nil else { return [] }
                var files: [(name: String, bytes: [UInt8])] = []
                for name in try state.files.names(in: folder) where name.hasSuffix(Self.ending) && !name.hasPrefix(".")
                {
                    files.append((name, try state.files.read("\(folder)/\(name)", atMost: FileLimit.profile)))
                }
                return files
            }
            for (name, bytes) in files {
                guard let calibration = try? WireFormat.decode(Calibration.self, from: bytes),
                    name == calibration.camera + Self.ending
                else {
                    logger.warning(
                        "a saved calibration cannot be used: calibrate the camera again, or remove the file",
                        metadata: ["file": "\(folder)/\(name)"]
                    )
                    continue
                }
                known.withLock { $0[calibration.camera] = calibration }
            }
        } catch {
            logger.warning("the saved calibrations cannot be read: \(error)")
        }
    }

    /// Saves a calibration in place of the camera's last one; returns once it is on the disk.
    func save(_ calibration: Calibration) async throws(Problem) {
        let (state, folder) = (state, folder)
        let bytes = (try? WireFormat.encode(calibration, pretty: true)) ?? []
        try await state.perform { () throws(FileError) in
            try state.makeFolders(to: folder)
            try state.write(bytes, as: calibration.camera + Self.ending, in: folder)
        }
        known.withLock { $0[calibration.camera] = calibration }
    }

    /// Removes the calibration of a camera; throws `not-found` where there is none.
    func remove(_ camera: String) async throws(Problem) {
        guard self[camera] != nil else {
            throw Problem(
                .notFound,
                "The camera \(camera) has no saved calibration.",
                remedy: "Calibrate it first (tintype calibrate \(camera) --save)."
            )
        }
        let (state, folder) = (state, folder)
        try await state.perform { () throws(FileError) in
            try state.files.remove("\(folder)/\(camera)\(Self.ending)", isFlushed: true)
        }
        known.withLock { $0[camera] = nil }
    }
}
