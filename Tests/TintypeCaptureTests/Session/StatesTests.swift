// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeCapture
import TintypeModel

extension SessionTests {
    /// The changes of a session's state, as they are told.
    @Suite(.timeLimit(.minutes(1)))
    struct StatesTests {
        /// The names of the next `count` states, or of all up to the end.
        private static func names(_ count: Int, _ states: AsyncStream<StateChange>) async -> [SessionState.Name] {
            var names: [SessionState.Name] = []
            for await change in states {
                names.append(change.state.name)
                if names.count == count { break }
            }
            return names
        }

        @Test func `each change is told once and in order, from the present state to the end of the session`()
            async throws
        {
            try await Stage.run("YUYV:256x64@50", endsCleanly: false) { stage in
                let states = stage.session.states()
                #expect(await Self.names(1, states) == [.off])
                _ = try await stage.session.start()
                #expect(await Self.names(3, states) == [.opening, .settling, .running])
                // One that comes later is told what is, and not what was.
                let late = stage.session.states()
                #expect(await Self.names(1, late) == [.running])
                try await stage.session.stop()
                #expect(await Self.names(1, states) == [.off])
                #expect(await Self.names(1, late) == [.off])
                // What changes nothing is not told: neither a second stop nor the end.
                try await stage.session.stop()
                #expect(await stage.session.end(within: .seconds(10)))
                #expect(await Self.names(1, states) == [])
                #expect(await Self.names(1, late) == [])
                // One that comes after the end is told that it is off, and no more.
                #expect(await Self.names(2, stage.session.states()) == [.off])
            }
        }

        @Test func `a failure is told with its reason, and its end`() async throws {
            try await Stage.run("YUYV:256x64@50,busy", "YUYV:256x64@50", warmth: .hot) { stage in
                var changes: [StateChange] = []
                for await change in stage.session.states() {
                    changes.append(change)
                    if change.state == .running { break }
                }
                let interruption = try #require(changes.first { $0.state.name == .interrupted })
                #expect(interruption.state.reason?.code == .cameraBusy)
                #expect(changes.suffix(3).map(\.state.name) == [.opening, .settling, .running])
                #expect(zip(changes, changes.dropFirst()).allSatisfy { $0.at <= $1.at && $0.state != $1.state })
            }
        }

        @Test func `a driver call that hangs is told, though no client waits, and so is its return`() async throws {
            try await Stage.run("YUYV:256x64@50,hang-after=20,hang=4s", warmth: .hot) { stage in
                var changes: [StateChange] = []
                for await change in stage.session.states() {
                    changes.append(change)
                    if change.state == .running, changes.contains(where: { $0.state.name == .failed }) { break }
                }
                let names = changes.map(\.state.name)
                let hang = try #require(names.firstIndex(of: .failed))
                #expect(names.count { $0 == .failed } == 1 && changes[hang].state.reason?.code == .driverStuck)
                let lasted = changes[hang + 1].at - changes[hang].at
                #expect(lasted > .seconds(2) && lasted < .milliseconds(3200), "\(names)")
            }
        }

        @Test func `one that takes nothing keeps the newest changes`() async throws {
            try await Stage.run("YUYV:256x64@50") { stage in
                let states = stage.session.states()
                for _ in 0..<40 {
                    _ = try await stage.session.start()
                    try await stage.session.stop()
                }
                #expect(await Self.names(64, states).last == .off)
            }
        }
    }
}
