// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import Synchronization
internal import TestSupport
internal import Testing
internal import TintypeModel
internal import TintypeSystem

@testable internal import TintypeSpool

extension SpoolFolder {
    func restart(_ files: (any FileSystem)? = nil, logger: Logger = .quiet) async throws {
        let spool = try await open(files: files, logger: logger)
        await spool.close(until: soon)
    }

    /// Makes the catalog refuse a change such as `INSERT ON frame`, always or under a condition.
    func refuse(_ change: String, when condition: String = "true") throws {
        let refusal = "BEGIN SELECT RAISE(ABORT, 'refused'); END"
        try sql("CREATE TRIGGER refuse BEFORE \(change) WHEN \(condition) \(refusal)")
    }

    /// Adds tombstones over the rows that match an SQL condition; the rows stay.
    func bury(where condition: String = "true", at time: Timestamp = Timestamp.now()) throws {
        try sql("INSERT INTO tombstone SELECT path, id, \(time.microseconds), sha256 FROM frame WHERE \(condition)")
    }

    /// Returns the output lines of sqlite3(1) on the catalog.
    @discardableResult
    func sql(_ statement: String) throws -> [String] {
        try catalogOutput("\(path)/catalog.sqlite", statement)
            .split(separator: "\n").map(String.init)
    }

    /// Returns the ids of all rows that match an SQL condition.
    func ids(where condition: String = "true") throws -> [FrameID] {
        try sql("SELECT \(idText) FROM frame WHERE \(condition) ORDER BY id").map { try #require(FrameID($0), "\($0)") }
    }

    /// Returns the paths of all rows that match an SQL condition.
    func paths(where condition: String = "true") throws -> [String] {
        try sql("SELECT path FROM frame WHERE \(condition) ORDER BY path")
    }

    /// Returns the path of a stored picture below this folder.
    func relative(_ record: StillRecord) throws -> String {
        String(try #require(record.path).dropFirst(path.count + 1))
    }

    /// Stores stills with these numbers one by one in a spool that is then closed; returns their records.
    @discardableResult
    func filled(
        _ numbers: some Sequence<Int>,
        camera: String = "door",
        picture bytes: [UInt8] = picture,
        durability: Durability = .none
    ) async throws -> [StillRecord] {
        let spool = try await open()
        let records = try await spool.fill(numbers, camera: camera, picture: bytes, durability: durability)
        await spool.close(until: soon)
        return records
    }

    /// Expects folder and catalog to agree, every file to be whole, and `.incoming` to be empty.
    func expectAgreement(on bytes: [UInt8] = picture, _ comment: Comment) throws {
        let pictures = try pictures()
        #expect(try paths(where: "NOT isLost") == pictures, comment)
        for name in pictures { #expect(try self.bytes(name) == bytes, comment) }
        #expect(try names(in: ".incoming").isEmpty, comment)
    }

    /// Marks all pictures as captured with a synchronised clock, whatever the state of this machine's.
    func believeTimes() throws { try sql("UPDATE frame SET isClockSynchronized = 1") }
}

extension SpoolStore {
    /// Stores stills one by one; returns their records.
    @discardableResult
    func fill(_ stills: [Still], durability: Durability = .none) async throws -> [StillRecord] {
        var records: [StillRecord] = []
        for still in stills { records.append(try await store(still, durability: durability, until: soon)) }
        return records
    }

    /// Stores stills with these numbers one by one; returns their records.
    @discardableResult
    func fill(
        _ numbers: some Sequence<Int>,
        camera: String = "door",
        picture bytes: [UInt8] = TintypeSpoolTests.picture,
        durability: Durability = .none
    ) async throws -> [StillRecord] {
        try await fill(numbers.map { still($0, camera: camera, picture: bytes) }, durability: durability)
    }

    /// Stores stills with these numbers concurrently while `work` runs; returns the records and problems.
    func storeAtOnce(
        _ numbers: some Sequence<Int>,
        until deadline: MonotonicTime = soon,
        meanwhile work: () async throws -> Void = {},
        durability: @escaping @Sendable (Int) -> Durability = { _ in .full },
        taken: @escaping @Sendable (Int) -> Still = { still($0) }
    ) async throws -> (records: [Int: StillRecord], problems: [Int: Problem]) {
        try await withThrowingTaskGroup(of: (Int, StillRecord?, Problem?).self) { group in
            for number in numbers {
                group.addTask { [self] in
                    do throws(Problem) {
                        let still = taken(number)
                        return (number, try await store(still, durability: durability(number), until: deadline), nil)
                    } catch {
                        return (number, nil, error)
                    }
                }
            }
            try await work()
            return try await group.reduce(into: (records: [:], problems: [:])) { outcomes, outcome in
                outcomes.records[outcome.0] = outcome.1
                outcomes.problems[outcome.0] = outcome.2
            }
        }
    }

    /// Stores stills concurrently, cycling through the cameras, and expects success; returns the records in any order.
    @discardableResult
    func fillAtOnce(
        _ numbers: some Sequence<Int>,
        durability: Durability = .full,
        cameras: [String] = ["door"],
        meanwhile work: () async throws -> Void = {}
    ) async throws -> [StillRecord] {
        let taken = { @Sendable (number: Int) in still(number, camera: cameras[number % cameras.count]) }
        let (records, problems) = try await storeAtOnce(
            numbers,
            meanwhile: work,
            durability: { _ in durability },
            taken: taken
        )
        if let problem = problems.values.first { throw problem }
        return Array(records.values)
    }

    /// Returns once the writing threads are done: each written still is in the queue, and its commit is scheduled.
    func finishWriting() async throws {
        let gate = Gate()
        let arrived = Mutex(0)
        defer { gate.open() }
        for _ in 0..<WriteQueue.threadCount {
            writes.threads.submit { _ in
                arrived.withLock { $0 += 1 }
                gate.wait()
            }
        }
        try await eventually("all writing threads are idle") { arrived.withLock(\.self) == WriteQueue.threadCount }
    }

    /// Returns the ids of the frames that match a filter, oldest first.
    func ids(_ filter: String = "") async throws -> [FrameID] {
        let query = FrameQuery(filter: try FrameFilter(parsing: filter), order: .oldest, limit: 1000)
        return try await frames(query, until: soon).frames.map(\.id)
    }

    /// Returns the problem with which a still is refused.
    func refusal(
        of still: Still = still(),
        durability: Durability = .full,
        until deadline: MonotonicTime = soon
    ) async throws -> Problem {
        try #require(await problem { try await store(still, durability: durability, until: deadline) })
    }
}

/// Returns the problem thrown by `body`; records an issue if there is none.
func problem<Value>(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Value
) async -> Problem? {
    await #expect(throws: Problem.self, sourceLocation: sourceLocation) { _ = try await body() }
}

let day = Duration.seconds(86_400)

/// Returns the rule that keeps matching pictures for this number of days.
func rule(_ days: Int, _ filter: String) throws -> RetentionRule {
    RetentionRule(keep: day * days, filter: try FrameFilter(parsing: filter))
}

/// Returns a clock reading `age` after ``noon``, with a step of the wall clock.
func clocks(_ age: Duration, step: Duration = .zero, isSynchronized: Bool = true, boot: String = "a") -> ClockReading {
    ClockReading(bootID: boot, uptime: day + age, wall: noon + age + step, isSynchronized: isSynchronized)
}
