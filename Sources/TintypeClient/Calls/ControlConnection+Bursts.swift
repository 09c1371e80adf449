// SPDX-License-Identifier: Apache-2.0
internal import NIOCore
package import TintypeModel

extension ControlConnection {
    /// Takes a burst as ``ControlExchange/stills(_:of:)`` does, and hands each still to `each` once it is as durable as asked.
    ///
    /// Returns what is missing; nil where nothing is. Throws also what `each` throws, which ends the burst.
    package func stills(
        _ stills: StillRequest,
        of camera: String,
        each: (StillRecord) async throws -> Void
    ) async throws -> [MissedStill]? {
        let request = try Self.request(stills, of: camera, accept: StillList.linesMediaType)
        let (lines, feed) = AsyncStream.makeStream(of: [UInt8].self)
        async let reply = send(request, since: .now(), lines: feed).checked(for: request)
        var missed: [MissedStill]?
        /// A line is a list, or why the first still failed.
        func take(_ line: [UInt8]) async throws {
            if let problem = try? WireFormat.decode(Problem.self, from: line) { throw problem }
            let list = try request.read(StillList.self, from: line)
            for still in list.stills { try await each(still) }
            missed = list.missed
        }
        for await line in lines { try await take(line) }
        // A daemon that knows no such lines sends one list.
        let rest = try await reply.body
        if !rest.isEmpty { try await take(rest) }
        return missed
    }
}
