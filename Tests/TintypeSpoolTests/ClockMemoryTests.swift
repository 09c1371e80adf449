// SPDX-License-Identifier: Apache-2.0
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

@Suite struct ClockMemoryTests {
    private static let year = Duration.seconds(365 * 86_400)
    private static let start = ClockReading(bootID: "a", uptime: .seconds(1000), wall: noon, isSynchronized: true)

    /// Returns a reading `passed` later, with the wall clock off by `step`, optionally in another boot.
    private func later(
        _ passed: Duration,
        step: Duration = .zero,
        boot: String? = nil,
        of reading: ClockReading = start
    ) -> ClockReading {
        var later = reading
        later.uptime = boot == nil ? reading.uptime + passed : .seconds(20)
        later.wall = Timestamp(microseconds: reading.wall.microseconds + (passed + step).nanosecondCount / 1000)
        later.bootID = boot ?? reading.bootID
        return later
    }

    /// Returns the reason to suspend retention by age after observing `reading`; nil if there is none.
    private func refusal(_ memory: inout ClockMemory, _ reading: ClockReading) -> String? {
        memory.observe(reading)
        return memory.refusal(at: reading)
    }

    @Test(arguments: [Duration.seconds(365 * 86_400), .seconds(-365 * 86_400), .seconds(3601), .seconds(-3601)])
    func `a clock step suspends retention by age for 24 hours`(_ step: Duration) {
        var memory = ClockMemory(Self.start, newest: noon)
        #expect(memory.refusal(at: Self.start) == nil)
        let stepped = later(.seconds(60), step: step)
        let told = refusal(&memory, stepped)
        #expect(told?.contains(step < .zero ? "back" : "forward") == true)
        #expect(told?.contains("24 h 0 min") == true, "\(told ?? "")")
        #expect(told?.contains("--confirm") == true)
        let soon = later(.seconds(86_340), of: stepped)
        #expect(refusal(&memory, soon)?.contains("0 h 1 min") == true)
        let next = later(.seconds(86_400), of: stepped)
        #expect(refusal(&memory, next) == nil)
    }

    @Test func `small clock steps add up to the limit of an hour`() {
        var memory = ClockMemory(Self.start, newest: nil)
        var reading = Self.start
        for step in [3000, 500, 100] {
            reading = later(.seconds(60), step: .seconds(step), of: reading)
            #expect(refusal(&memory, reading) == nil)
        }
        reading = later(.seconds(60), step: .seconds(1), of: reading)
        #expect(refusal(&memory, reading) != nil)
    }

    @Test func `a system suspend is not a clock step`() {
        var memory = ClockMemory(Self.start, newest: nil)
        // CLOCK_BOOTTIME includes the suspend.
        let awake = later(Self.year)
        #expect(refusal(&memory, awake) == nil)
    }

    @Test func `a second clock step restarts the waiting time`() {
        var memory = ClockMemory(Self.start, newest: nil)
        let back = later(.seconds(60), step: .zero - Self.year)
        memory.observe(back)
        let ahead = later(.seconds(80_000), step: Self.year, of: back)
        #expect(refusal(&memory, ahead)?.contains("forward by 365 d") == true)
        let later = later(.seconds(80_000), of: ahead)
        #expect(refusal(&memory, later) != nil)
    }

    private static let changes: [(seconds: Int, isDoubted: Bool)] = [
        (3600, false), (6 * 86_400, false), (8 * 86_400, true), (365 * 86_400, true), (-600, false), (-3700, true),
        (-365 * 86_400, true),
    ]

    @Test(arguments: changes)
    func `a reboot tolerates a clock up to an hour back or a week ahead`(_ change: (seconds: Int, isDoubted: Bool)) {
        var memory = ClockMemory(Self.start, newest: noon)
        let begun = later(.seconds(change.seconds), boot: "b")
        #expect((refusal(&memory, begun) != nil) == change.isDoubted)
        // A spool without a saved clock starts from the time of its newest picture.
        #expect((ClockMemory(begun, newest: noon).refusal(at: begun) != nil) == change.isDoubted)
    }

    @Test func `only uptime counts towards the waiting time`() {
        var memory = ClockMemory(Self.start, newest: nil)
        let stepped = later(.seconds(60), step: Self.year)
        memory.observe(stepped)
        let evening = later(.seconds(43_000), of: stepped)
        memory.observe(evening)
        let morning = later(.seconds(50_000), boot: "b", of: evening)
        #expect(refusal(&memory, morning) != nil)
        let next = later(.seconds(43_400), of: morning)
        #expect(refusal(&memory, next) == nil)
    }

    @Test(arguments: [
        (#""offsetUs": 9223372036854775807, "uptimeUs": 1"#, false),
        (#""offsetUs": 1, "uptimeUs": -9223372036854775808"#, false),
        (#""offsetUs": 1, "uptimeUs": 1, "hold": {"step": -9223372036854775808, "passed": 1}"#, false),
        (#""offsetUs": 1, "uptimeUs": 1, "hold": {"step": 1, "passed": 9223372036854775807}"#, false),
        (#""offsetUs": 18446744073709551616, "uptimeUs": 1"#, false), (#""offsetUs": 1e308, "uptimeUs": 1"#, false),
        (#""offsetUs": 0.5, "uptimeUs": 1"#, false), (#""offsetUs": 1, "uptimeUs": 1e999"#, false),
        (#""offsetUs": 1, "uptimeUs": 1, "hold": {"step": -1, "passed": 1}"#, true),
    ])
    func `discards a saved clock whose sums could overflow`(_ times: String, _ isKept: Bool) async throws {
        let folder = SpoolFolder()
        try folder.write(Array(#"{"bootID": "b", \#(times)}"#.utf8), to: ".clock")
        let spool = try await folder.open(RetentionSettings(maxAge: .seconds(86_400)))
        let isKnown = try await spool.storage.perform("be tried", until: soon) { spool in
            spool.retention.clock.latest != nil
        }
        #expect(isKnown == isKept)
        _ = try await spool.retention(dryRun: false, at: clocks(.zero), until: soon)
    }
}
