// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import FoundationEssentials
internal import Glibc
internal import TintypeModel

struct WorkCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "work",
        abstract: "Upload pictures, make films and clips, as the program of tintype-worker.service.",
        discussion: """
            Waits for tintyped, gets the jobs from it, and does them with rclone(1), curl(1) and ffmpeg(1), until it is \
            ended by SIGTERM or Ctrl-C. A daemon has one worker; another one waits.
            """
    )

    @OptionGroup var shared: SharedOptions

    @Option(
        "The configuration of rclone (default: rclone.conf in STATE_DIRECTORY, else rclone's own).",
        "file",
        completion: .file()
    )
    var config: String?

    @Option(
        "The folder for pictures on their way (default: CACHE_DIRECTORY, else a temporary one).",
        "folder",
        completion: .directory
    )
    var cache: String?

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        let state = environment["STATE_DIRECTORY"].map { "\($0)/rclone.conf" }
        let given = cache ?? environment["CACHE_DIRECTORY"]
        let folder = try given ?? Self.temporaryFolder()
        defer { if given == nil { WorkFolder.remove(folder) } }
        let settings = try WorkSettings(config: config ?? state, cache: folder)
        try await Interruption.cancelling {
            do {
                try await waitAndWork(settings)
            } catch is CancellationError {}
        }
    }

    private static func temporaryFolder() throws -> String {
        let name = "tintype-work-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
        let folder = FileManager.default.temporaryDirectory.appending(path: name).path
        try OutputError.naming("make the folder", folder, try SystemCalls.makeFolders(folder, mode: 0o700))
        return folder
    }

    /// Connects again after each end, and says once why it waits.
    private func waitAndWork(_ settings: WorkSettings) async throws {
        var said: String?
        while true {
            var reason = "tintyped has gone."
            do {
                try await client.withConnection { connection in
                    try await Worker(settings, client).work(connection) { said = nil }
                }
            } catch let error as ClientError where error.isPassing {
                reason = error.detail
            } catch let problem as Problem where [.stopping, .configurationConflict].contains(problem.code) {
                reason = problem.detail
            }
            try Task.checkCancellation()
            if reason != said { try? StandardStream.error.write("\(reason) Waiting for it.\n") }
            said = reason
            try await Task.sleep(for: .seconds(1))
        }
    }
}

/// Batches of one connection to the daemon: a task each.
actor Worker {
    private let settings: WorkSettings
    private let client: ControlClient
    private var running: [String: Task<Void, Never>] = [:]
    /// Last batch of each job: the next waits for its end.
    private var last: [String: Task<Void, Never>] = [:]

    init(_ settings: WorkSettings, _ client: ControlClient) { (self.settings, self.client) = (settings, client) }

    /// Works until the daemon ends the reply, or throws; no batch remains.
    ///
    /// Calls `begin` when the daemon has accepted this worker.
    func work(_ connection: ControlConnection, _ begin: () -> Void) async throws {
        var hasBegun = false
        do {
            try await connection.orders { order in
                if !hasBegun {
                    // From now on no other worker of the daemon uses the cache.
                    try OutputError.naming("make folders in", settings.cache, try WorkFolder.prepare(settings.cache))
                    begin()
                }
                hasBegun = true
                follow(order)
            }
        } catch {
            await endAll()
            throw error
        }
        await endAll()
    }

    private func follow(_ order: WorkOrder) {
        switch order.action {
        case .idle: break
        case .stop:
            if let id = order.batch { running[id]?.cancel() }
        case .begin:
            guard let batch = Batch(order, settings, client) else { return }
            let earlier = last[batch.job]
            let task = Task {
                await earlier?.value
                await batch.run()
                finish(batch)
            }
            (running[batch.id], last[batch.job]) = (task, task)
        }
    }

    private func finish(_ batch: Batch) {
        if last[batch.job] == running.removeValue(forKey: batch.id) { last[batch.job] = nil }
    }

    private func endAll() async {
        for task in running.values { task.cancel() }
        for task in running.values { await task.value }
    }
}

/// Folder of a batch in the cache.
struct WorkFolder {
    let path: String

    /// Folder of all batches in `cache`.
    static func parent(in cache: String) -> String { "\(cache)/.tintype-batches" }

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
