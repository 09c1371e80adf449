// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
package import TintypeModel
internal import TintypeSystem

/// Limits the requests that wait for the same thing, such as frames of one camera, without a queue; any thread.
///
/// One client (``RequestClient``) has at most a quarter of the places, so that it cannot keep out the others.
package final class RequestLimiter: Sendable {
    package static let placesOfCamera = 1024

    private struct Count {
        var all = 0
        /// Without the daemon's own requests.
        var byClient: [String: Int] = [:]
    }

    private let purpose: String
    private let places: Int
    private let count = Mutex(Count())

    /// Requests that `purpose`, as in “wait for a frame”.
    package init(for purpose: String, places: Int) { (self.purpose, self.places) = (purpose, places) }

    package var taken: Int { count.withLock(\.all) }

    /// Occupies a place until the last reference to it is released; throws `too-many-requests` with the limit.
    package func enter() throws(Problem) -> Place {
        let client = RequestClient.current
        let obstacle = count.withLock { count -> String? in
            let own = client.map { count.byClient[$0, default: 0] } ?? 0
            if client != nil, own >= places / 4 { return "\(own) requests of this client" }
            guard count.all < places else { return "\(places) requests" }
            count.all += 1
            if let client { count.byClient[client] = own + 1 }
            return nil
        }
        if let obstacle {
            throw Problem(
                .tooManyRequests,
                "\(obstacle) \(purpose) already, and more may not.",
                remedy: "Ask again in a while; let many who want the same picture ask one that passes it on.",
                // A running camera frees places sooner.
                retryAfter: .seconds(1)
            )
        }
        return Place(self, client: client)
    }

    private func leave(_ client: String?) {
        count.withLock { count in
            count.all -= 1
            guard let client, let own = count.byClient[client] else { return }
            count.byClient[client] = own > 1 ? own - 1 : nil
        }
    }

    package final class Place: Sendable {
        private let limiter: RequestLimiter
        /// Nil for the daemon itself.
        let client: String?

        fileprivate init(_ limiter: RequestLimiter, client: String?) { (self.limiter, self.client) = (limiter, client) }

        deinit { limiter.leave(client) }
    }
}
