// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Testing
internal import TintypeModel
internal import tintype

extension Processes {
    /// Clients that go away before their picture has come.
    @Suite struct LeavingTests {
        /// What the camera is doing while a client waits.
        enum Situation: String, CaseIterable {
            case stalled, opening, starting, hanging

            var pattern: String {
                switch self {
                case .stalled: "GREY:256x64@1,exposure=60s"
                case .opening: "GREY:256x64@30,hang-at=open"
                case .starting: "GREY:256x64@30,hang-at=STREAMON"
                case .hanging: "GREY:256x64@30,hang-after=0"
                }
            }
        }

        /// How the client goes.
        enum Way: String, CaseIterable {
            /// close(2).
            case closed
            /// Its process is killed.
            case killed
            /// With a reply that it has not read, which resets the connection.
            case reset
            /// It first closed its sending side only, and was waited for.
            case halfClosed
            /// It had sent more requests behind the first.
            case pipelined
        }

        @Test(arguments: Situation.allCases)
        func `a client that goes away no longer counts as waiting, whatever the camera does`(
            _ situation: Situation
        ) async throws {
            // A driver that hangs for longer than a second is told to all who wait: each try has a camera of its own.
            let tries = 7
            try await Site.with { site in
                _ = try await site.startDaemon(Array(repeating: situation.pattern, count: tries * Way.allCases.count))
                let ways = Way.allCases.flatMap { Array(repeating: $0.rawValue, count: tries) }
                let left = try await site.python("leave", [site.socket] + ways)
                #expect(left.split(separator: "\n").map(String.init) == ways)
            }
        }

        /// What a client asks for and does not wait for to its end.
        enum Wish: String, CaseIterable {
            /// `POST …/stills`.
            case stills
            /// `still.jpg?keep=true`.
            case kept
            /// A mean of frames, of which some have come.
            case average
            /// A burst of frames that follow on each other, of which some have come.
            case burst
            /// A span that begins in an hour.
            case later
            /// A burst with an hour between its stills, after the first.
            case pausing

            var pattern: String {
                switch self {
                case .stills, .kept, .later: "GREY:256x64@1,exposure=60s"
                case .average, .burst: "GREY:256x64@5"
                case .pausing: "GREY:256x64@30"
                }
            }
        }

        @Test(arguments: Wish.allCases)
        func `a client that goes away no longer counts as waiting, whatever it asked for`(_ wish: Wish) async throws {
            let tries = 7
            try await Site.with { site in
                _ = try await site.startDaemon(Array(repeating: wish.pattern, count: tries))
                _ = try await site.python("leave-wish", [site.socket, wish.rawValue, "\(tries)"])
                let stills = try await site.client.cameras().cameras.map(\.counters.stills)
                switch wish {
                case .stills, .kept, .average, .later: #expect(stills.allSatisfy { $0 == 0 }, "\(stills)")
                case .burst: #expect(stills.allSatisfy { $0 > 0 && $0 < 1000 }, "\(stills)")
                case .pausing: #expect(stills.allSatisfy { $0 == 1 }, "\(stills)")
                }
            }
        }
    }
}
