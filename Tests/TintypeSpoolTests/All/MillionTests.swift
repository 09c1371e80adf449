// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TestSupport
internal import Testing
internal import TintypeModel
internal import TintypeSystem

@testable internal import TintypeSpool

/// Timing of a catalog with a year of pictures, run by `Benchmarks/catalog`.
@Suite(
    .enabled(
        if: ProcessInfo.processInfo.environment["TINTYPE_BENCHMARK_ROWS"] != nil,
        "a benchmark: Benchmarks/catalog runs it"
    )
)
struct MillionTests {
    private static let count = Int(ProcessInfo.processInfo.environment["TINTYPE_BENCHMARK_ROWS"] ?? "") ?? 1_000_000

    /// Common filters, which have an index: camera, time, tag, pinned, lost.
    private static let usual = [
        "", "camera:yard", "camera:roof", "camera:nowhere", "on:2026-03-17", "since:3650d", "tag:alarm", "tag:night",
        "tag:none", "pinned", "pinned:no", "verdict:intact", "camera:door, on:2026-03-17", "camera:roof, pinned",
        "camera:front-3, pinned:no", "tag:alarm, on:2026-03-17", "tag:night, to:2026-01-03", "tag:alarm, pinned",
        "tag:night, pinned", "pinned, since:3650d", "pinned, verdict:damaged", "pinned, verdict:intact",
        "verdict:damaged, on:2026-03-17", "verdict:intact, to:2026-02-01", "lost", "pinned, lost",
    ]

    private static let others = [
        "verdict:damaged", "not verdict:intact", "camera:roof, tag:alarm", "camera:roof, tag:night",
        "camera:roof, verdict:damaged", "camera:yard, not verdict:intact", "tag:night, verdict:damaged",
        "tag:alarm, verdict:damaged", "camera:front*", "not camera:yard",
        "any(on:2026-03-17, on:2026-06-02), camera:roof", "tag:event-7*", "tag:ev*, camera:door",
        "tag:alarm, tag:night", "source:request", "source:reconcile", "camera:roof, source:request", "settled:no",
        "camera:yard, settled:no, source:request", "bytes>300k", "bytes>1M", "bytes<20k", "camera:yard, bytes>150000",
        "width<800", "camera:yard, width<800", "width>=1000, height<500",
        "any(tag:alarm, not camera:yard)", "any(pinned, lost, verdict:damaged)", "any(tag:event-7, bytes>1M)",
        "not tag:night", "not any(tag:night, camera:yard, camera:door)", "not any(pinned, settled:no, verdict:intact)",
        "verdict:intact, pinned:no, to:2026-02-01", "all(not camera:yard, any(tag:alarm, tag:event-*), not since:30d)",
    ]

    @Test
    func `pages and inserts stay within their time limits`() throws {
        let kept = ProcessInfo.processInfo.environment["TINTYPE_BENCHMARK_CATALOG"]
        let path = kept ?? FileManager.default.temporaryDirectory.path + "/tintype-\(UUID().uuidString).sqlite"
        defer {
            if kept == nil {
                for part in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + part) }
            }
        }
        try measure(path)
    }

    private func measure(_ path: String) throws {
        let opening = Self.milliseconds { _ = try? Catalog(path: path, clock: .system, logger: .quiet).close() }
        let catalog = try Catalog(path: path, clock: .system, logger: .quiet)
        if try catalog.totals().isEmpty {
            print("filling \(path) with \(Self.count) rows takes \(Self.text(try fill(catalog)))")
        } else {
            print("opening the catalog: \(Self.text(opening))")
        }
        let bytes = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
        print("\(HumanBytes.text((bytes >> 20) << 20)) of catalog")
        print("milliseconds for a page of 100: newest, oldest, from the middle; median and longest of 7")
        var slow: [String] = []
        for text in Self.usual + Self.others {
            let filter = try FrameFilter(parsing: text)
            let middle = FrameID(at: Timestamp("2026-05-21T00:00:00Z") ?? noon)
            var line = ""
            for (order, cursor) in [(FrameOrder.newest, nil), (.oldest, nil), (.newest, middle)] {
                let cursor = cursor.map { FrameCursor(order, after: $0) }
                let query = FrameQuery(filter: filter, order: order, cursor: cursor)
                var found = 0
                var isEnd = true
                let times = try (0..<7).map { _ in
                    try Self.milliseconds {
                        let page = try catalog.lists.page(query)
                        (found, isEnd) = (page.rows.count, page.next == nil)
                    }
                }
                let median = times.sorted()[3]
                // A search step may exceed its time.
                let most = Self.usual.contains(text) ? 20 : FrameSearch.timeLimit.millisecondCount + 100
                if median >= most { slow.append("\(text) (\(order)): \(Self.text(median))") }
                line += "  \(Self.text(median)) \(Self.text(times.max() ?? 0)) (\(found)\(isEnd ? "" : ", and more"))"
            }
            print(line, text.isEmpty ? "(all)" : text)
        }
        #expect(slow.isEmpty, "a page takes too long: \(slow)")
        for text in ["", "camera:yard", "tag:night", "width<800"] {
            let (filter, first) = (try FrameFilter(parsing: text), Timestamp("2026-03-01T00:00:00Z") ?? noon)
            let days = (0..<31).map { day in first + .seconds(day * 86_400)..<first + .seconds((day + 1) * 86_400) }
            let time = try Self.milliseconds { for day in days { _ = try catalog.lists.count(filter, in: day) } }
            print("counts of 31 days, \(text.isEmpty ? "all" : text): \(Self.text(time))")
            #expect(time < 1000, "\(text)")
        }
        let durable = try inserts(catalog, 300, isDurable: true)
        let fast = try inserts(catalog, 1000, isDurable: false)
        for (name, times) in [("durable", durable), ("not flushed", fast)] {
            let sorted = times.sorted()
            let parts = [0.5, 0.9, 0.99].map { Self.text(sorted[Int(Double(sorted.count - 1) * $0)]) }
            print("insert of a row, \(name): median \(parts[0]), 90 % \(parts[1]), 99 % \(parts[2])")
        }
        #expect(fast.sorted()[500] < 2, "an insert takes 2 ms or more")
        print("totals: \(Self.text(try Self.milliseconds { _ = try catalog.totals() }))")
        try catalog.close()
    }

    /// Fills a catalog with a year of pictures and returns the duration in milliseconds.
    private func fill(_ catalog: Catalog) throws -> Double {
        var random = SeededGenerator(seed: 1)
        let begin = Timestamp("2026-01-01T00:00:00Z") ?? noon
        let step = 365 * 86_400_000_000 / Int64(Self.count)
        return try Self.milliseconds {
            var rows: [FrameRow] = []
            for number in 0..<Self.count {
                rows.append(Self.row(number, at: begin.microseconds + Int64(number) * step, &random))
                if rows.count == 10_000 || number == Self.count - 1 {
                    try catalog.insert(rows, isDurable: false, at: noon)
                    rows = []
                }
            }
        }
    }

    private static func row(_ number: Int, at time: Int64, _ random: inout SeededGenerator) -> FrameRow {
        func happens(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &random) < share }
        let camera = happens(0.6) ? "yard" : happens(0.6) ? "door" : happens(0.6) ? "roof" : "front-\(number % 8)"
        // The yard got a better camera in May; alarms come in bursts.
        let isOld = camera == "yard" && number < count / 3
        let isNight = number / max(1, count / 365 / 2) % 2 == 0
        var tags: [String] = []
        if isNight, camera != "roof" { tags.append("night") }
        if number % 5000 < 50 { tags.append("alarm") }
        if happens(0.001) { tags.append("event-\(number / 1000)") }
        let typical = isOld ? 40_000 : camera == "door" ? 180_000 : 110_000
        var row = FrameRow(
            number,
            camera: camera,
            bytes: happens(0.0001) ? 400_000 : typical * Int.random(in: 70...130, using: &random) / 100,
            size: isOld ? FrameSize(width: 640, height: 480) : FrameSize(width: 1280, height: 720),
            settled: happens(0.3) ? nil : !happens(0.05),
            verdict: happens(0.97) ? .intact : happens(0.6) ? .sound : happens(0.9) ? .tolerated : .damaged,
            tags: tags.isEmpty ? nil : tags,
            source: camera != "roof" && happens(0.02) ? .request : .publish,
            isPinned: happens(0.0005),
            isLost: happens(0.0001)
        )
        row.capturedAt = Timestamp(microseconds: time)
        row.id = FrameID(at: row.capturedAt)
        row.path = "\(camera)/2026/\(number / 30_000)/\(number)-\(row.id.description.suffix(6)).jpg"
        row.sha256 = String(repeating: "5a", count: 32)
        row.bootID = FrameID(at: noon).description
        return row
    }

    private func inserts(_ catalog: Catalog, _ count: Int, isDurable: Bool) throws -> [Double] {
        var random = SeededGenerator(seed: 2)
        return try (0..<count).map { number in
            let row = Self.row(number, at: Timestamp.now().microseconds, &random)
            return try Self.milliseconds { try catalog.insert([row], isDurable: isDurable, at: noon) }
        }
    }

    private static func milliseconds(_ work: () throws -> Void) rethrows -> Double {
        let begin = MonotonicTime.now()
        try work()
        return (MonotonicTime.now() - begin).millisecondCount
    }

    private static func text(_ milliseconds: Double) -> String { String(format: "%.2f", milliseconds) }
}
