// SPDX-License-Identifier: Apache-2.0
internal import GRDB
package import TintypeModel
internal import TintypeSystem

/// Standing order of the configuration to upload the matching pictures of a spool.
package struct UploadRule: Hashable, Sendable {
    package var name: String
    /// Without ``FrameCondition/since(_:)``.
    package var filter: FrameFilter
    /// ``UploadTarget/publicPart`` of the target.
    package var target: String
    package var priority: Int

    package init(name: String, filter: FrameFilter, target: String, priority: Int = 0) {
        (self.name, self.filter, self.target, self.priority) = (name, filter, target, priority)
    }
}

/// Jobs of the upload rules of a spool, one for each.
///
/// The configuration overwrites filter, target and priority of their rows. The row of a removed rule is cancelled; it
/// starts anew if the rule returns.
struct StandingJobs {
    private struct Entry {
        let createdAt: Timestamp
        /// Inserts the delivery of a frame that matches; its id is the last argument.
        let sql: String
        let arguments: StatementArguments
    }

    let rules: [UploadRule]
    private let spool: String
    /// Nil before the rules are in the catalog.
    private var entries: [Entry]?

    init(_ rules: [UploadRule], spool: String) { (self.rules, self.spool) = (rules, spool) }

    /// False also for a rule that was made before the clock was set back.
    func isApplied(at now: Timestamp) -> Bool { entries?.allSatisfy { $0.createdAt <= now } ?? false }

    /// For rows that were changed other than by ``applied(_:_:)``.
    mutating func forget() { entries = nil }

    /// Rows to insert or update, so that the catalog has the rules.
    func changes(at now: Timestamp, _ database: Database) throws -> [JobRow] {
        let rows = try Self.rows(database)
        let removed = rows.filter { row in row.state != .cancelled && !rules.contains { $0.name == row.rule } }
        return removed.map { $0.cancelled(at: now) }
            + rules.compactMap { rule in
                let present = rows.first { $0.rule == rule.name }
                // Deliveries of a damaged catalog then have their job.
                let id = present?.id ?? Job.id(of: "\(spool)/\(rule.name)")
                let new = Job(id: id, rule: rule.name, spool: "", source: "", target: "", createdAt: now)
                var row = present.flatMap { $0.state == .cancelled ? nil : $0 } ?? JobRow(new)
                (row.source, row.target, row.priority) = ("\(rule.filter)", rule.target, rule.priority)
                (row.createdAt, row.lastSuccess) = (min(row.createdAt, now), present?.lastSuccess)
                return row == present ? nil : row
            }
    }

    /// The jobs once ``changes(at:_:)`` are written.
    func applied(_ changes: [JobRow], _ database: Database) throws -> StandingJobs {
        for row in changes { try row.save(database) }
        let rows = try Self.rows(database)
        var applied = self
        applied.entries = try rules.compactMap { rule in
            guard let row = rows.first(where: { $0.rule == rule.name }) else { return nil }
            let insert: SQL = """
                INSERT OR IGNORE INTO delivery (frame, job, state) SELECT id, \(row.id), 'pending' FROM frame \
                WHERE \(literal: rule.filter.ofStillsUnlessAsked.sql) AND id = 
                """
            let (sql, arguments) = try insert.build(database)
            return Entry(createdAt: row.createdAt, sql: "\(sql)?", arguments: arguments)
        }
        return applied
    }

    private static func rows(_ database: Database) throws -> [JobRow] {
        try JobRow.fetchAll(database, sql: "SELECT * FROM job WHERE rule IS NOT NULL")
    }

    /// Inserts a pending delivery for each job whose filter matches the picture, in whose transaction this is.
    ///
    /// `isFound`: the picture is older than its row; a job that is younger than the picture does not get it.
    func insertDeliveries(of row: FrameRow, isFound: Bool, _ database: Database) throws {
        for entry in entries ?? [] where !isFound || row.capturedAt >= entry.createdAt {
            let statement = try database.cachedStatement(sql: entry.sql)
            try statement.execute(arguments: entry.arguments + [row.id.databaseValue])
        }
    }
}

extension Job {
    /// Id that follows from a text: the same after a restart and in a rebuilt catalog, and of hexadecimal digits, unlike
    /// ``newID()``.
    package static func id(of text: String) -> String { String(SHA256.text(Array(text.utf8)).prefix(idLength)) }
}
