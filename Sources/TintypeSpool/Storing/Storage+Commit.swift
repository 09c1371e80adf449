// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel
internal import TintypeSystem

extension Storage {
    typealias Outcome = Result<StillRecord, Problem>

    struct Candidate {
        let still: WrittenStill
        var path: SpoolPath?
        var problem: Problem?

        var job: StoreJob { still.job }
        var isIn: Bool { problem == nil }
    }

    /// Groups of stills to commit separately, so that those without a flush do not wait for the others.
    static func parts(of stills: [WrittenStill]) -> [[WrittenStill]] {
        let parts = [false, true].map { isFull in stills.filter { ($0.job.durability == .full) == isFull } }
        return parts.filter { !$0.isEmpty }
    }

    /// Adds written stills to the spool with one flush per folder and one transaction; returns the outcomes in the same
    /// order.
    ///
    /// `stills` is a group of ``parts(of:)``: either all are flushed or none. The order ensures that a final name has a
    /// complete file, and a row has its file, if the process is killed: rename, flush the folders, prepare the new
    /// link, insert the rows, rename the link. A still that fails leaves nothing behind and does not affect the others.
    func commit(_ stills: [WrittenStill]) -> [Outcome] {
        let isFull = stills.first?.job.durability == .full
        var candidates = stills.map { Candidate(still: $0) }
        for index in candidates.indices { giveName(to: &candidates[index]) }
        if isFull { flushFolders(of: &candidates) }
        let links = makeLinks(of: &candidates)
        insertRows(of: &candidates, isFull: isFull)
        let newest = newest(of: candidates)
        for (camera, link) in links { show(link, of: camera, newest[camera].map { candidates[$0] }) }
        return candidates.map { candidate in
            if let problem = candidate.problem { return .failure(problem) }
            return .success(record(of: candidate))
        }
    }

    private func giveName(to candidate: inout Candidate) {
        let (record, temporary) = (candidate.job.record, candidate.still.temporary)
        do throws(Problem) {
            try admit(UInt64(record.bytes), of: record.camera)
            candidate.path = try asProblem(
                try makingRoom(of: record.camera) { () throws(FileError) in try move(temporary, of: record) }
            )
        } catch {
            candidate.problem = error
            discard(temporary)
        }
    }

    private func flushFolders(of candidates: inout [Candidate]) {
        var failures: [String: Problem] = [:]
        var flushed: Set<String> = []
        for index in candidates.indices {
            guard candidates[index].isIn, let path = candidates[index].path, let folder = path.folders.last else {
                continue
            }
            if flushed.insert(folder).inserted {
                do throws(FileError) {
                    try syncFolders(of: path)
                } catch {
                    failures[folder] = error.problem
                }
            }
            if let problem = failures[folder] { fail(&candidates[index], problem) }
        }
    }

    /// Inserts all rows in one transaction, or one by one if that fails, so that each gets its own error.
    private func insertRows(of candidates: inout [Candidate], isFull: Bool) {
        let remaining = candidates.indices.filter { candidates[$0].isIn }
        guard !remaining.isEmpty else { return }
        do throws(Problem) {
            try catalog.insert(remaining.compactMap { row(of: candidates[$0]) }, isDurable: isFull, at: clock.wall)
            catalogFailures = 0
        } catch {
            for index in remaining { insertRow(of: &candidates[index], isFull, remaining.count == 1 ? error : nil) }
        }
        for index in remaining where candidates[index].isIn {
            noteStored(UInt64(candidates[index].job.record.bytes), of: candidates[index].job.record.camera)
        }
    }

    /// Inserts one row, after an optional earlier `failure`; renames the picture if the catalog already has its name.
    private func insertRow(of candidate: inout Candidate, _ isFull: Bool, _ failure: Problem?) {
        do throws(Problem) {
            if let failure {
                guard try rename(&candidate, isFull) else { throw failure }
            }
            guard let row = row(of: candidate) else { return }
            do throws(Problem) {
                try catalog.insert([row], isDurable: isFull, at: clock.wall)
            } catch {
                guard failure == nil, try rename(&candidate, isFull), let row = self.row(of: candidate) else {
                    throw error
                }
                try catalog.insert([row], isDurable: isFull, at: clock.wall)
            }
            catalogFailures = 0
        } catch {
            catalogFailures += 1
            fail(&candidate, files.judged(error, in: folder))
        }
    }

    /// Renames a picture if a row or tombstone, whose file was removed, has its path; false if none has.
    private func rename(_ candidate: inout Candidate, _ isFull: Bool) throws(Problem) -> Bool {
        guard let path = candidate.path, try catalog.isTaken(path: path.description) else { return false }
        var next = path
        repeat { next.attempt += 1 } while try catalog.isTaken(path: next.description)
        candidate.path = try asProblem(try move("\(folder)/\(path)", to: next))
        if isFull { try asProblem(try syncFolders(of: path)) }
        return true
    }

    private func row(of candidate: Candidate) -> FrameRow? {
        guard let path = candidate.path else { return nil }
        return FrameRow(
            still: record(of: candidate),
            path: path.description,
            sha256: candidate.still.sha256,
            storedAt: clock.wall,
            bootID: site.bootID,
            storedMonotonic: clock.now,
            isClockSynchronized: WallClock.isSynchronized,
            source: candidate.job.source
        )
    }

    private func record(of candidate: Candidate) -> StillRecord {
        var record = candidate.job.record
        record.path = candidate.path.map { "\(folder)/\($0)" }
        record.stored = stored(candidate.job.durability)
        record.sha256 = candidate.still.sha256
        return record
    }

    /// Durability to report, limited by the file system.
    private func stored(_ durability: Durability) -> StillRecord.Stored {
        durability == .full && site.limit == nil ? .durable : .written
    }

    /// Removes a picture that already has its final name.
    func fail(_ candidate: inout Candidate, _ problem: Problem) {
        candidate.problem = problem
        guard let path = candidate.path else { return }
        discard("\(folder)/\(path)", isFlushed: candidate.job.durability == .full)
    }
}
