// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Logging
internal import TintypeModel

extension Reconciler {
    /// The folders in a folder, both relative to the spool, whose names fit; links are not followed.
    func folders(in relative: String, where fits: (String) -> Bool) throws(FileError) -> [String] {
        let prefix = relative.isEmpty ? "" : "\(relative)/"
        var found: [String] = []
        for name in try files.names(in: "\(configuration.folder)/\(relative)") where fits(name) {
            let status = try files.status(of: "\(configuration.folder)/\(prefix)\(name)", following: false)
            if status?.kind == .folder { found.append(prefix + name) }
        }
        return found
    }

    /// The folders of days of a camera.
    func days(of camera: String) throws(Problem) -> [String] {
        do throws(FileError) {
            var days: [String] = []
            for year in try folders(in: camera, where: Self.isNumber(of: 4)) {
                for month in try folders(in: year, where: Self.isNumber(of: 2)) {
                    days += try folders(in: month, where: Self.isNumber(of: 2))
                }
            }
            return days
        } catch {
            throw error.problem
        }
    }

    /// The paths of the pictures in a folder with their bytes.
    func pictures(in day: String) throws(Problem) -> [(path: String, size: Int)] {
        do throws(FileError) {
            var pictures: [(path: String, size: Int)] = []
            for name in try files.names(in: "\(configuration.folder)/\(day)") where name.hasSuffix(".jpg") {
                let status = try files.status(of: "\(configuration.folder)/\(day)/\(name)", following: false)
                if let status, status.kind == .file { pictures.append(("\(day)/\(name)", status.size)) }
            }
            return pictures
        } catch {
            throw error.problem
        }
    }

    /// Moves a file that is not whole to `.quarantine`, under its path with dashes for slashes.
    func quarantine(_ path: String) throws(Problem) {
        let quarantine = "\(configuration.folder)/.quarantine"
        let name = path.split(separator: "/").joined(separator: "-")
        do throws(FileError) {
            try files.makeFolderIfMissing(quarantine, mode: configuration.folderMode)
            var attempt = 1
            while true {
                let target = "\(quarantine)/\(name)" + (attempt == 1 ? "" : "-\(attempt)")
                do throws(FileError) {
                    try files.move("\(configuration.folder)/\(path)", to: target)
                    break
                } catch  where error.code == EEXIST {
                    attempt += 1
                }
            }
        } catch {
            throw error.problem
        }
        logger.warning("A picture is not whole: moved to \(quarantine)", metadata: ["path": "\(path)"])
    }

    /// Lets a `latest.jpg` that leads nowhere lead to the camera's newest picture, or removes it if there is none.
    func repairLatest(of camera: String) throws(Problem) {
        let path = "\(configuration.folder)/\(camera)/latest.jpg"
        do throws(FileError) {
            if let link = try files.status(of: path, following: false) {
                guard link.kind == .link, try files.status(of: path, following: true)?.kind != .file else { return }
                try files.remove(path)
            }
        } catch {
            throw error.problem
        }
        guard let latest = try catalog.latestPath(of: camera) else { return }
        do throws(FileError) {
            try files.makeLink(path, to: String(latest.dropFirst(camera.count + 1)))
        } catch {
            throw error.problem
        }
    }

    private static func isNumber(of digits: Int) -> (String) -> Bool {
        { name in name.utf8.count == digits && name.utf8.allSatisfy { (0x30...0x39).contains($0) } }
    }
}
