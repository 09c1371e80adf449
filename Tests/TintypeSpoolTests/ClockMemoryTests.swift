// SPDX-License-Identifier: Apache-2.0
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

/// Whether the age of pictures is believed, after steps of the clock both ways.
@Suite struct ClockMemoryTests {
    private static let year = Duration.seconds(365 * 86_400)
    private static let start = ClockReading(bootID: "a", uptime: .seconds(1000), wall: noon, isSynchronized: true)

    /// The clocks `passed` later, with the wall clock off by `step`, perhaps in another boot.
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

    /// Why nothing goes by age once a memory has observed the clocks; nil if it does.
    private func refusal(_ memory: inout ClockMemory, _ reading: ClockReading) -> String? {
        memory.observe(reading)
        return memory.refusal(at: reading)
    }

    @Test(arguments: [Duration.seconds(365 * 86_400), .seconds(-365 * 86_400), .seconds(3601), .seconds(-3601)])
    func `after a step nothing goes by age until 24 hours have passed`(_ step: Duration) {
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

    @Test func `steps of up to an hour are none, and add up`() {
        var memory = ClockMemory(Self.start, newest: nil)
        var reading = Self.start
        for step in [3000, 500, 100] {
            reading = later(.seconds(60), step: .seconds(step), of: reading)
            #expect(refusal(&memory, reading) == nil)
        }
        reading = later(.seconds(60), step: .seconds(1), of: reading)
        #expect(refusal(&memory, reading) != nil)
    }

    @Test func `a suspend is no step, and counts as time that has passed`() {
        var memory = ClockMemory(Self.start, newest: nil)
        // The uptime goes on meanwhile: CLOCK_BOOTTIME.
        let awake = later(Self.year)
        #expect(refusal(&memory, awake) == nil)
    }

    @Test func `a step back, and another ahead, is slept over from the last one on`() {
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
    func `after a new start only a clock that went back, or on for more than a week, is doubted`(
        _ change: (seconds: Int, isDoubted: Bool)
    ) {
        var memory = ClockMemory(Self.start, newest: noon)
        let begun = later(.seconds(change.seconds), boot: "b")
        #expect((refusal(&memory, begun) != nil) == change.isDoubted)
        // What is known of a spool without a memory is when its newest picture was taken.
        #expect((ClockMemory(begun, newest: noon).refusal(at: begun) != nil) == change.isDoubted)
    }

    @Test func `only time that the machine runs counts`() {
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
        (#""offsetUs": 1, "uptimeUs": 1, "hold": {"step": -1, "passed": 1}"#, true),
    ])
    func `a memory whose sums could overflow is none`(_ times: String, _ isKept: Bool) async throws {
        let folder = SpoolFolder()
        try folder.write(Array(#"{"bootID": "b", \#(times)}"#.utf8), to: ".clock")
        let spool = try await folder.open(RetentionSettings(maxAge: .seconds(86_400)))
        let isKnown = try await spool.perform("be tried", until: soon) { storage in storage.savedClock() != nil }
        #expect(isKnown == isKept)
        _ = try await spool.retention(dryRun: false, at: clocks(.zero), until: soon)
    }
}
