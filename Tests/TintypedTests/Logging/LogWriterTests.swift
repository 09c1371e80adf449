// SPDX-License-Identifier: Apache-2.0
import Glibc
import Logging
import TestSupport
import Testing

@testable import tintyped

struct LogWriterTests {
    @Test func `lines of several threads do not mix`() async {
        let result = await #expect(processExitsWith: .exitCode(0), observing: [\.standardErrorContent]) {
            let writer = LogWriter(for: .journal)
            await withTaskGroup(of: Void.self) { group in
                for letter in ["a", "b", "c", "d"] {
                    group.addTask {
                        for _ in 0..<20 {
                            writer.write(LogLine(.info, String(repeating: letter, count: 500), for: .journal))
                        }
                    }
                }
            }
            writer.flush(within: .patience)
            exit(0)
        }
        let lines = (result?.standardErrorContent ?? []).split(separator: 0x0A).filter { $0.count >= 500 }
        #expect(lines.count == 80)
        #expect(lines.allSatisfy { $0.count == 503 && Set($0.dropFirst(3)).count == 1 })
    }

    @Test func `reports the number of lost lines once there is room`() async {
        let (lines, more) = AsyncStream.makeStream(of: String.self)
        let gate = Gate()
        let writer = LogWriter(for: .journal) { line in
            gate.wait()
            more.yield(String(line.text.suffix(50)))
        }
        // The first fills the buffer to the last byte, and the other two are lost.
        for letter in ["a", "b", "c"] {
            writer.write(LogLine(.info, String(repeating: letter, count: LogWriter.capacity - 4), for: .journal))
        }
        gate.open()
        var iterator = lines.makeAsyncIterator()
        #expect(await iterator.next() == String(repeating: "a", count: 50))
        #expect(await iterator.next() == "<4>2 log lines were lost because nothing read them")
        writer.write(LogLine(.info, "d", for: .journal))
        #expect(await iterator.next() == "<6>d")
    }

    @Test func `writes a line longer than the buffer`() async {
        let (lines, more) = AsyncStream.makeStream(of: Int.self)
        let writer = LogWriter(for: .journal) { more.yield($0.text.utf8.count) }
        writer.write(LogLine(.info, String(repeating: "a", count: LogWriter.capacity), for: .journal))
        var iterator = lines.makeAsyncIterator()
        #expect(await iterator.next() == LogWriter.capacity + 3)
        writer.flush(within: .patience)
        writer.write(LogLine(.info, "d", for: .journal))
        #expect(await iterator.next() == 4)
    }

    /// The journal's stream is a socket.
    @Test(arguments: [false, true])
    func `neither writing nor exiting blocks on a full pipe or socket`(isSocket: Bool) async {
        await #expect(processExitsWith: .exitCode(7)) { [isSocket] in
            var ends: [CInt] = [0, 0]
            _ = unsafe isSocket ? socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) : pipe(&ends)
            _ = dup2(ends[1], STDERR_FILENO)
            FullPipe.fill(ends[1])
            let writer = LogWriter(for: .journal)
            for _ in 0..<10_000 { writer.write(LogLine(.info, "camera opened", for: .journal)) }
            writer.flush(within: ExitGuard.haste)
            exit(7)
        }
    }
}
