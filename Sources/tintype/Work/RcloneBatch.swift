// SPDX-License-Identifier: Apache-2.0
internal import FoundationEssentials
internal import Synchronization
internal import TintypeModel

/// Upload of a batch by rclone(1), in shares of a limited size with one process each.
struct RcloneBatch {
    private let batch: Batch
    private let target: UploadTarget
    private let folder: WorkFolder
    private let rclone: RcloneUpload

    /// Files of a share in the folder `pictures`, each with its picture.
    private struct Share {
        var files: [String: FrameID] = [:]
        var bytes = 0

        /// Pictures with files, all of which are in `names`.
        func whole(in names: Set<String>) -> Set<FrameID> {
            Set(files.values).subtracting(files.filter { !names.contains($0.key) }.values)
        }
    }

    private static let subfolder = "pictures"

    init(_ batch: Batch, _ target: UploadTarget, _ options: UploadOptions, _ folder: WorkFolder) {
        (self.batch, self.target, self.folder) = (batch, target, folder)
        rclone = RcloneUpload(
            target: target,
            options: options,
            name: "\(batch.settings.worker)-\(batch.job)",
            config: batch.settings.config
        )
    }

    func run(_ pictures: [WorkPicture]) async throws {
        guard let program = ChildProgram.find("rclone") else { throw BatchFailure.missing("rclone", batch.job) }
        let isTemporary = try await needsTemporaryNames(program)
        var rest = pictures[...]
        var sent = 0
        while !rest.isEmpty {
            let share = try await fetch(&rest)
            defer { folder.remove(Self.subfolder) }
            guard !share.files.isEmpty else { continue }
            let files = "\(folder.path)/\(Self.subfolder)"
            if isTemporary {
                let stored = try await transfer(program, rclone.copyingTemporarily(files), share, after: sent)
                try await move(program, share, stored)
            } else {
                _ = try await transfer(program, rclone.copying(files), share, after: sent, delivers: true)
            }
            if batch.note({ $0.isTargetAway }) { return }
            sent += share.bytes
        }
    }

    private func needsTemporaryNames(_ program: String) async throws -> Bool {
        let remote = "\(rclone.remote) \(batch.settings.written?.timeIntervalSince1970 ?? 0)"
        if let known = batch.settings.remotes.withLock({ $0[remote] }) { return known }
        var (lines, log): ([String], RcloneLog) = ([], RcloneLog())
        let status = try await ChildProgram(path: program, arguments: rclone.features).run { line in
            lines.append(line)
            return true
        }
        if status != 0 { for line in lines { _ = log.read(line) } }
        if let failure = log.failure(status, of: rclone) { throw failure }
        let json = lines.drop { !$0.hasPrefix("{") }.joined(separator: "\n")
        guard let features = try? WireFormat.decode(RcloneFeatures.self, from: json.utf8) else {
            throw BatchFailure(error: "rclone: its list of features is not understood.")
        }
        batch.settings.remotes.withLock { $0[remote] = features.needsTemporaryNames }
        return features.needsTemporaryNames
    }

    /// Fetches pictures from the beginning of `rest`.
    private func fetch(_ rest: inout ArraySlice<WorkPicture>) async throws -> Share {
        var share = Share()
        while let picture = rest.first, share.bytes == 0 || share.bytes + picture.bytes <= Batch.share {
            rest.removeFirst()
            let name = target.name(of: picture)
            guard WorkFolder.isSafe(name) else {
                batch.note { $0.refused(picture.id, "The name \(name) is not allowed.") }
                continue
            }
            guard let bytes = try await batch.fetch(picture, as: "\(Self.subfolder)/\(name)", to: folder) else {
                continue
            }
            share.files[name] = picture.id
            share.bytes += bytes
            guard let json = try picture.record.map({ try WireFormat.encode($0, pretty: true) }) else { continue }
            let other = name.replacing(/\.(?:jpg|mp4|mkv)$/, with: "") + ".json"
            let path = "\(Self.subfolder)/\(other)"
            guard let size = try await batch.write(path, of: picture, to: folder, { try await $0(json) }) else {
                continue
            }
            share.files[other] = picture.id
            share.bytes += size
        }
        return share
    }

    /// Runs rclone, and returns the names that the target has, whole; throws if the batch must end.
    ///
    /// After a success `unlogged` tells which of the names without a line in the log are there.
    private func transfer(
        _ program: String,
        _ arguments: [String],
        _ share: Share,
        after sent: Int? = nil,
        delivers: Bool = false,
        unlogged: (Set<String>) async throws -> Set<String> = { $0 }
    ) async throws -> Set<String> {
        func deliver(_ names: Set<String>) {
            guard delivers else { return }
            for picture in share.whole(in: names) { batch.note { $0.delivered(picture) } }
        }
        var (names, log, isFailed): (Set<String>, RcloneLog, Bool) = ([], RcloneLog(), false)
        let child = ChildProgram(path: program, arguments: arguments, environment: rclone.environment)
        let status = try await child.run { line in
            switch log.read(line) {
            case .stored(let name) where share.files[name] != nil:
                names.insert(name)
                batch.note { $0.confirmTarget() }
                deliver(names)
            case .failed(let name, let error):
                guard let picture = share.files[name] else { break }
                isFailed = true
                return batch.note {
                    $0.failed(picture, "rclone: \(error)")
                    return !$0.isTargetAway
                }
            case .progress(let bytes): if let sent { batch.note { $0.sent(sent + bytes) } }
            default: break
            }
            return true
        }
        if status == 0 {
            names.formUnion(try await unlogged(Set(share.files.keys).subtracting(names)))
            deliver(names)
        } else if let failure = log.failure(status, of: rclone), failure.isFatal || !isFailed && names.isEmpty {
            throw failure
        }
        return names
    }

    /// Gives the stored files their names, which makes their pictures delivered.
    private func move(_ program: String, _ share: Share, _ stored: Set<String>) async throws {
        let pictures = share.whole(in: stored)
        let files = share.files.filter { pictures.contains($0.value) }
        guard !files.isEmpty else { return }
        let list = "names"
        let names = Array(files.keys.sorted().map { "\($0)\n" }.joined().utf8)
        defer { folder.remove(list) }
        _ = try await folder.write(list) { try await $0(names) }
        let path = "\(folder.path)/\(list)"
        var lacks = false
        // rclone neither logs a file that is there already, nor one that is not in the temporary folder any more.
        _ = try await transfer(program, rclone.moving(path), Share(files: files), delivers: true) { names in
            let found = try await found(program, names, listedIn: path)
            lacks = found.count < names.count
            return found
        }
        if lacks { throw BatchFailure(error: "rclone: Files that it has moved are not there. They are sent again.") }
    }

    /// Those of the names that the target has.
    private func found(_ program: String, _ names: Set<String>, listedIn list: String) async throws -> Set<String> {
        guard !names.isEmpty else { return [] }
        var (found, log): (Set<String>, RcloneLog) = ([], RcloneLog())
        let status = try await ChildProgram(path: program, arguments: rclone.listing(list)).run { line in
            if names.contains(line) { found.insert(line) } else { _ = log.read(line) }
            return true
        }
        if let failure = log.failure(status, of: rclone) { throw failure }
        return found
    }
}
