// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization
internal import Testing
internal import TintypeClient
internal import TintypeModel

extension Processes {
    @Suite struct KillTests {
        @Test func `killed during stills at random moments, it loses none that was answered and shows none in part`()
            async throws
        {
            try await Site.with { site in
                var answered: [StillRecord] = []
                var rounds = 0
                while rounds < 15 || (answered.count < 100 && rounds < 60) {
                    let records = try await killDuringStills(site, after: .random(in: 0...8))
                    answered += records
                    rounds += 1
                }
                #expect(answered.count >= 100, "\(answered.count) in \(rounds) rounds")
                _ = try await site.startDaemon(["YUYV:320x180@120"])
                for record in answered {
                    let found = try await site.client.frame(record.id)
                    #expect(found.sha256 == record.sha256 && found.path == record.path)
                }
                let report = try await site.python(
                    audit,
                    site.spool,
                    answered.map { $0.sha256 ?? "" }.joined(separator: " ")
                )
                #expect(report.isEmpty, "\(report)")
            }
        }

        /// Starts a daemon, has four clients post stills, and kills it some time after `count` answers.
        private func killDuringStills(_ site: Site, after count: Int) async throws -> [StillRecord] {
            let daemon = try await site.startDaemon(["YUYV:320x180@120"])
            let answers = Answers()
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        // Ends with the connection, when the daemon is killed.
                        try? await site.client.withConnection { connection in
                            while true {
                                let record = try await connection.still(StillRequest(), of: "pattern")
                                answers.add(record)
                            }
                        }
                    }
                }
                group.addTask {
                    let moment = Duration.microseconds(.random(in: 0...15_000))
                    try? await eventually("\(count) answers") { answers.all.count >= count }
                    let reached = MonotonicTime.now()
                    try? await eventually("the moment") { .now() - reached >= moment }
                    daemon.signal(SIGKILL)
                }
            }
            #expect(try await daemon.outcome().status == 128 + SIGKILL)
            return answers.all
        }
    }
}

/// What the daemon has answered so far.
private final class Answers: Sendable {
    private let records = Mutex<[StillRecord]>([])
    var all: [StillRecord] { records.withLock(\.self) }
    func add(_ record: StillRecord) { records.withLock { $0.append(record) } }
}

/// Prints what is wrong with a spool: pictures that Pillow does not open, files without row, rows without file, sums
/// that differ, pictures missing of those whose sums are given.
private let audit = """
    import hashlib, os, sqlite3, sys, PIL.Image
    spool, wanted = sys.argv[1], set(sys.argv[2].split())
    rows = dict(sqlite3.connect('file:%s/catalog.sqlite?mode=ro' % spool, uri=True).execute('SELECT path, sha256 FROM frame'))
    seen = set()
    for folder, folders, names in os.walk(spool):
        if '.incoming' in folder:
            for name in names: print('left in .incoming:', name)
            continue
        for name in names:
            path = os.path.join(folder, name); short = os.path.relpath(path, spool)
            if os.path.islink(path) or not name.endswith('.jpg'): continue
            bytes = open(path, 'rb').read(); seen.add(short)
            wanted.discard(hashlib.sha256(bytes).hexdigest())
            try: PIL.Image.open(path).load()
            except Exception as error: print('not whole:', short, error)
            if short not in rows: print('no row:', short)
            elif rows[short] != hashlib.sha256(bytes).hexdigest(): print('another sum:', short)
    for path in rows:
        if path not in seen: print('no file:', path)
    for sum in wanted: print('answered and missing:', sum)
    """
