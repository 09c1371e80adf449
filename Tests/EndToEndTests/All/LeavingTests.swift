// SPDX-License-Identifier: Apache-2.0
internal import Testing

extension Processes {
    /// Clients that disconnect before their picture arrives.
    @Suite struct LeavingTests {
        /// State of the camera while a client waits.
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

        /// Way of disconnecting.
        enum Way: String, CaseIterable {
            /// close(2).
            case closed
            /// SIGKILL of the process.
            case killed
            /// close(2) with an unread reply, which resets the connection.
            case reset
            /// shutdown(2) of the sending side, which still counts as waiting, then close(2).
            case halfClosed
            /// close(2) with pipelined requests after the first.
            case pipelined
        }

        @Test(arguments: Situation.allCases)
        func `a disconnected client does not count as waiting in any camera state`(
            _ situation: Situation
        ) async throws {
            // A driver call that hangs for 10 s is reported to all waiting clients: each try has its own camera.
            let tries = 7
            try await Site.with { site in
                _ = try await site.startDaemon(Array(repeating: situation.pattern, count: tries * Way.allCases.count))
                let ways = Way.allCases.flatMap { Array(repeating: $0.rawValue, count: tries) }
                let left = try await site.python("leave", [site.socket] + ways)
                #expect(left.split(separator: "\n").map(String.init) == ways)
            }
        }
    }
}
