// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import TestSupport
import Testing
import TintypeDevice
import TintypeImaging
import TintypeModel

@testable import TintypeCapture

extension SessionTests {
    /// Thousands of stills from a camera that damages a tenth of its frames.
    struct ManyStillsTests {
        /// Number of stills per integrity (`TINTYPE_TEST_STILLS`).
        private static let count = Int(ProcessInfo.processInfo.environment["TINTYPE_TEST_STILLS"] ?? "") ?? 1000

        /// Results of inspected frames.
        private final class Outcomes: Sendable {
            private let state = Mutex(State())

            func withLock<R>(_ body: (inout State) throws -> R) rethrows -> R { try state.withLock { try body(&$0) } }
        }

        private struct State {
            /// Numbers drawn in the frames: a repeated frame has the sequence number of the good one before it.
            var given: Set<UInt32> = []
            var refused: [Integrity: Set<UInt32>] = [:]
        }

        @Test(
            arguments: ["MJPG:256x96@500,damage=10:42", "MJPG:256x96@500,no-dht,padding=90,damage=10:43"]
        )
        func `strict and tolerant judge every frame correctly`(_ pattern: String) async throws {
            let outcomes = Outcomes()
            let share = try #require(try PatternSpec(pattern).faults.damage)
            // Damage follows from the frame number and the seed of the pattern.
            @Sendable func isDamaged(_ number: UInt32) -> Bool { share.damage(to: UInt64(number), isJPEG: true) != nil }
            let rendering: EncodingThreads.Rendering = { (picture, options, codecs) throws(ImagingError) in
                let number = picture.stamp.sequence
                do throws(ImagingError) {
                    return try EncodingThreads.render(picture, options, &codecs)
                } catch {
                    outcomes.withLock { outcomes in
                        // A repeated frame has the sequence number of the good one before it.
                        if picture.stamp.faults.contains(.repeated) { return }
                        _ = outcomes.refused[options.integrity, default: []].insert(number)
                    }
                    throw error
                }
            }
            // djpeg checks the strict stills independently.
            let complaints = try await withTemporaryFolder { folder in
                try await Stage.run(pattern, warmth: .hot, rendering: rendering) { stage in
                    try await withThrowingTaskGroup { group in
                        for integrity in [Integrity.strict, .tolerant] {
                            group.addTask {
                                for index in 0..<Self.count {
                                    let request = StillRequest(fresh: .next, settle: .never, integrity: integrity)
                                    let still = try await stage.stills.take(request)
                                    guard integrity == .strict else { continue }
                                    let number = try still.code().number
                                    outcomes.withLock { _ = $0.given.insert(number) }
                                    let path = "\(folder)/\(still.record.sequence)-\(index).jpg"
                                    try Data(still.picture).write(to: URL(filePath: path))
                                }
                            }
                        }
                        try await group.waitForAll()
                    }
                    #expect(stage.counters.interrupted == 0)
                    #expect(Int(stage.counters.stills) >= 2 * Self.count)
                }
                return try Self.complaints(in: folder)
            }
            let seen = outcomes.withLock { $0 }
            let given = seen.given
            // Most stills show different frames; one may answer two consecutive requests.
            #expect(given.count > Self.count / 2)
            #expect(given.filter(isDamaged).isEmpty, "given under strict: \(given.filter(isDamaged))")
            let refused = seen.refused[.tolerant] ?? []
            #expect(refused.count > Self.count / 100)
            let wronged = refused.filter { !isDamaged($0) }
            #expect(wronged.isEmpty, "refused under tolerant: \(wronged)")
            #expect((seen.refused[.strict] ?? []).allSatisfy(isDamaged))
            #expect(complaints.isEmpty, "\(complaints.prefix(500))")
            print(
                "\(pattern): \(Self.count) stills each: \(given.count) frames given under strict, \(refused.count) refused under tolerant"
            )
        }

        /// Output of djpeg for the pictures in a folder.
        private static func complaints(in folder: String) throws -> String {
            try ProgramOutput(of: [
                "sh", "-c",
                "cd \"$0\" && for file in *.jpg; do djpeg -fast -grayscale -scale 1/8 -outfile /dev/null \"$file\" "
                    + "|| echo \"$file: status $?\"; done 2>&1",
                folder,
            ]).text
        }
    }
}
