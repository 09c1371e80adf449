// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Testing
import TintypeModel

@testable import TintypeCapture

@Suite struct BurstOutcomesTests {
    private static let full = Problem(.spoolFull, "The spool is full.", remedy: "Make room.")
    private static let late = Problem(.deadlineExceeded, "It came too late.", remedy: "Wait longer.")
    private static let record = StillRecord(
        id: FrameID(at: Timestamp(microseconds: 0)),
        camera: "door",
        bytes: 100,
        width: 16,
        height: 8,
        sequence: 7,
        capturedAt: Timestamp(microseconds: 0),
        timestampSource: .startOfExposure
    )

    @Test(arguments: [true, false])
    func `a failed still ends only bursts of consecutive frames`(_ endsAtFailure: Bool) throws {
        let outcomes = BurstOutcomes(endsAtFailure: endsAtFailure)
        let first = try #require(outcomes.begin())
        outcomes.record(.success(Self.record), of: first)
        let second = try #require(outcomes.begin())
        let third = try #require(outcomes.begin())
        outcomes.record(.failure(Self.full), of: second)
        #expect(outcomes.goesOn == !endsAtFailure)
        #expect((outcomes.begin() == nil) == endsAtFailure)
        outcomes.record(.success(Self.record), of: third)
        if !endsAtFailure { outcomes.record(.success(Self.record), of: 3) }
        // A still that was never begun is not missed.
        outcomes.end(endsAtFailure ? Self.late : nil)
        let list = try outcomes.list(isGivenUp: false)
        #expect(list.stills.count == (endsAtFailure ? 2 : 3))
        #expect(list.missed?.map(\.index) == [1])
    }

    @Test func `reports stills in order`() throws {
        let told = Mutex<[UInt32]>([])
        let outcomes = BurstOutcomes(endsAtFailure: false) { still in told.withLock { $0.append(still.sequence) } }
        func note(_ number: Int) {
            var record = Self.record
            record.sequence = UInt32(number)
            outcomes.record(.success(record), of: number)
        }
        for number in 0..<5 { #expect(outcomes.begin() == number) }
        note(2)
        #expect(told.withLock(\.self) == [])
        note(0)
        #expect(told.withLock(\.self) == [0])
        outcomes.record(.failure(Self.late), of: 1)
        #expect(told.withLock(\.self) == [0, 2])
        note(4)
        note(3)
        #expect(told.withLock(\.self) == [0, 2, 3, 4])
    }

    @Test func `an abandoned burst has a list only if complete`() throws {
        let outcomes = BurstOutcomes(endsAtFailure: true)
        outcomes.record(.success(Self.record), of: try #require(outcomes.begin()))
        #expect(try outcomes.list(isGivenUp: true).stills.count == 1)
        outcomes.end(Self.late)
        #expect(throws: Self.late) { try outcomes.list(isGivenUp: true) }
        #expect(try outcomes.list(isGivenUp: false).missed?.map(\.index) == [1])
    }
}
