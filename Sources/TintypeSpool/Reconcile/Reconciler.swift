// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import TintypeModel

/// Brings folder and catalog into agreement: whole files without a row are taken in, files that are not whole are
/// quarantined, rows without a file are removed.
///
/// Each step leaves a state from which it can begin again: it may be killed at any point.
struct Reconciler {
    let configuration: Spool.Configuration
    let files: any FileSystem
    let logger: Logger
    let catalog: Catalog
    let bootID: String

    /// What was found and done.
    struct Report: Hashable {
        var takenIn = 0
        var quarantined = 0
        var lost = 0
        /// Pictures that do not have a name that the spool gives: left alone.
        var foreign = 0
    }

    private static let batch = 500

    private var folder: String { configuration.folder }

    /// Reconciles, logs what was done and returns it.
    @discardableResult
    func run() throws(Catalog.OpeningError) -> Report {
        let sizes = try catalog.sizes()
        var report = Report()
        do throws(Problem) {
            let cameras = try reconcile(sizes, &report)
            for camera in cameras { try repairLatest(of: camera) }
        } catch {
            throw .failed(error)
        }
        if report != Report() {
            logger.notice(
                "Folder and catalog did not agree",
                metadata: [
                    "taken-in": "\(report.takenIn)", "quarantined": "\(report.quarantined)",
                    "rows-without-file": "\(report.lost)", "foreign-files": "\(report.foreign)",
                ]
            )
        }
        return report
    }

    /// Returns the cameras that have a folder.
    private func reconcile(_ sizes: [String: Int], _ report: inout Report) throws(Problem) -> [String] {
        var missing = Set(sizes.keys)
        var found: [FrameRow] = []
        var cameras: [String] = []
        do throws(FileError) {
            cameras = try folders(in: "", where: CameraName.isValid)
        } catch {
            throw error.problem
        }
        for camera in cameras {
            for day in try days(of: camera) {
                for (path, size) in try pictures(in: day) {
                    if let known = sizes[path] {
                        // What was not flushed when the power went has another length: it is not what the row says.
                        if known == size {
                            missing.remove(path)
                            continue
                        }
                        try quarantine(path)
                        report.quarantined += 1
                        continue
                    }
                    guard let name = SpoolPath(path) else {
                        report.foreign += 1
                        continue
                    }
                    if let row = try takeIn(name) {
                        found.append(row)
                        report.takenIn += 1
                    } else {
                        try quarantine(path)
                        report.quarantined += 1
                    }
                    if found.count == Self.batch {
                        try catalog.insert(found, isDurable: true)
                        found = []
                    }
                }
            }
        }
        if !found.isEmpty { try catalog.insert(found, isDurable: true) }
        report.lost = missing.count
        if !missing.isEmpty { try catalog.remove(paths: missing.sorted()) }
        return cameras
    }

    /// The row of a file that has none; nil if it is not a whole picture.
    private func takeIn(_ name: SpoolPath) throws(Problem) -> FrameRow? {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try files.read("\(folder)/\(name)")
        } catch {
            throw error.problem
        }
        guard let size = WholePicture.size(of: bytes) else { return nil }
        return FrameRow(
            id: FrameID(at: name.capturedAt),
            camera: name.camera,
            path: name.description,
            bytes: bytes.count,
            size: size,
            sequence: name.sequence,
            capturedAt: name.capturedAt,
            // The name does not say, so the least is claimed.
            timestampSource: .dequeue,
            uncertainty: nil,
            storedAt: .now(),
            stored: .written,
            sha256: Storage.digest(bytes),
            bootID: bootID,
            storedMonotonic: .now(),
            isClockSynchronized: SystemCalls.isClockSynchronized
        )
    }
}
