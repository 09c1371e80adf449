// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

@testable import TintypeControl

@Suite(.timeLimit(.minutes(1)))
struct UntakenReplyTests {
    private static let get = "GET /v1/cameras/pattern/still.jpg HTTP/1.1\r\nHost: a\r\n\r\n"

    /// Cameras whose pictures are far larger than what the kernel keeps of a reply.
    private static var large: FakeCameras {
        FakeCameras(take: { _, _ in
            var still = Samples.still()
            still.picture = [UInt8](repeating: 7, count: 8_000_000)
            return still
        })
    }

    @Test(arguments: [1, 2, 50])
    func `a client that takes nothing of its reply is disconnected after a while`(requests: Int) async throws {
        try await withServer(cameras: Self.large, limits: ServerLimits(reply: .milliseconds(200))) { path, _ in
            let client = try await RawClient(path, reads: false)
            let asked = ContinuousClock.now
            try await client.send(String(repeating: Self.get, count: requests))
            try await client.closed()
            let took = ContinuousClock.now - asked
            #expect(took >= .milliseconds(200) && took < .seconds(20), "\(took)")
            let other = try await RawClient(path)
            try await other.send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(await other.reply()?.status == 200)
        }
    }

    @Test func `a client that takes its replies has as many as it asks for`() async throws {
        try await withServer(cameras: Self.large, limits: ServerLimits(reply: .seconds(10))) { path, _ in
            let client = try await RawClient(path)
            try await client.send(String(repeating: Self.get, count: 5))
            for _ in 0..<5 { #expect(await client.reply()?.body.count == 8_000_000) }
        }
    }

    @Test func `a client that takes its reply slowly has all of it, however long that takes`() async throws {
        let limit = Duration.seconds(2)
        try await withServer(cameras: Self.large, limits: ServerLimits(reply: limit)) { path, _ in
            let client = try await RawClient(path, reads: false)
            let asked = ContinuousClock.now
            try await client.send(Self.get)
            var taken = 0
            while taken < 8_000_000 {
                // A fraction of the limit for each of what the kernel keeps.
                try await Task.sleep(for: .milliseconds(40))
                guard let more = try await client.read() else { break }
                taken += more
            }
            #expect(taken > 8_000_000 && ContinuousClock.now - asked > limit)
        }
    }

    @Test func `clients that take nothing have less time while all of them leave too much untaken`() async throws {
        var limits = ServerLimits(reply: .seconds(60))
        // More than one reply, less than two.
        limits.untakenBytes = 12_000_000
        try await withServer(cameras: Self.large, limits: limits) { path, _ in
            let (first, second) = (try await RawClient(path, reads: false), try await RawClient(path, reads: false))
            for client in [first, second] { try await client.send(Self.get) }
            let asked = ContinuousClock.now
            while first.isOpen, second.isOpen, ContinuousClock.now - asked < .seconds(20) {
                try await Task.sleep(for: .milliseconds(20))
            }
            // Whichever is looked at first.
            #expect(first.isOpen != second.isOpen)
            let third = try await RawClient(path)
            try await third.send(Self.get)
            #expect(await third.reply()?.body.count == 8_000_000)
        }
    }

    @Test func `a reply that comes late is no reply that is not taken`() async throws {
        let (asked, release) = (Gate(), Gate())
        let cameras = FakeCameras(take: { _, _ in
            asked.open()
            await release.wait()
            return Samples.still()
        })
        try await withServer(cameras: cameras, limits: ServerLimits(reply: .milliseconds(1))) { path, _ in
            let client = try await RawClient(path)
            try await client.send(Self.get)
            await asked.wait()
            let began = ContinuousClock.now
            let other = try await RawClient(path)
            while ContinuousClock.now - began < .milliseconds(50) {
                try await other.send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(await other.reply()?.status == 200)
            }
            release.open()
            #expect(await client.reply()?.status == 200)
            try await client.send(Self.get)
            #expect(await client.reply()?.status == 200)
        }
    }
}
