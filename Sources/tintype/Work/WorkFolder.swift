// SPDX-License-Identifier: Apache-2.0
internal import FoundationEssentials
internal import Glibc
internal import TintypeModel

/// Folder of a batch in the cache.
struct WorkFolder {
    let path: String

    /// Folder of all batches in `cache`.
    static func parent(in cache: String) -> String { "\(cache)/.tintype-batches" }

    init(batch: String, in cache: String) throws(BatchFailure) {
        guard batch.wholeMatch(of: /[A-Za-z0-9_-]{1,64}/) != nil else {
            throw BatchFailure(error: "The batch \(batch) has an unknown kind of id.")
        }
        path = "\(Self.parent(in: cache))/\(batch)"
    }

    /// Makes a file of the parts that `fill` passes on, and returns its size; a file that is not whole is removed.
    func write(
        _ name: String,
        capturedAt: Timestamp? = nil,
        _ fill: (_ each: ([UInt8]) async throws -> Void) async throws -> Void
    ) async throws -> Int {
        let file = "\(path)/\(name)"
        try SystemCalls.makeFolders(file.enclosingFolder)
        let descriptor = try SystemCalls.create(file, mode: 0o600)
        defer { _ = close(descriptor) }
        var size = 0
        do {
            try await fill { part in
                try SystemCalls.write(part, to: descriptor)
                size += part.count
            }
        } catch {
            remove(name)
            throw error
        }
        if let capturedAt { try SystemCalls.setTimes(of: descriptor, to: capturedAt) }
        return size
    }

    func remove(_ name: String) { Self.remove("\(path)/\(name)") }

    func remove() { Self.remove(path) }

    static func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }

    /// Random id of the worker that uses `cache`, kept there; the cache is made, only for this user.
    static func worker(in cache: String) throws(SystemError) -> String {
        let file = "\(cache)/.tintype-id"
        let known = try? String(contentsOfFile: file, encoding: .utf8)
        if let known, known.wholeMatch(of: /[0-9a-z]{8,}/) != nil { return known }
        let id = String(UInt64.random(in: 1 << 60 ... .max), radix: 36)
        try SystemCalls.makeFolders(cache, mode: 0o700)
        remove(file)
        let descriptor = try SystemCalls.create(file, mode: 0o600)
        defer { _ = close(descriptor) }
        try SystemCalls.write(Array(id.utf8), to: descriptor)
        return id
    }

    /// Makes the folder of all batches, only for this user, and removes what another worker has left there.
    static func prepare(_ cache: String) throws(SystemError) {
        let parent = parent(in: cache)
        remove(parent)
        try SystemCalls.makeFolders(parent, mode: 0o700)
    }

    /// True for a name of one line that stays below its folder.
    static func isSafe(_ name: String) -> Bool {
        guard !name.contains(where: \.isNewline) else { return false }
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        return parts.allSatisfy { !["", ".", ".."].contains($0) }
    }
}
