// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeModel

/// Bytes of the replies that clients have not read yet, limited in total and for each peer.
///
/// One peer has at most a quarter, so that clients that do not read keep out only those of their own user or address.
/// Any thread.
final class ReplyBudget: Sendable {
    /// Replies up to this size are always admitted: the number of connections limits them.
    static let small = 16 << 10

    private struct Bytes {
        /// Of complete replies that a connection is about to write.
        var admitted = 0
        /// In the connections.
        var queued = 0

        var all: Int { admitted + queued }
    }

    private struct State {
        var total = 0
        /// By ``Peer/description``.
        var byPeer: [String: Bytes] = [:]

        mutating func change(_ peer: String, _ change: (inout Bytes) -> Void) {
            var bytes = byPeer[peer, default: Bytes()]
            total -= bytes.all
            change(&bytes)
            total += bytes.all
            byPeer[peer] = bytes.all == 0 ? nil : bytes
        }
    }

    private let most: Int
    private let state = Mutex(State())

    init(bytes: Int) { most = bytes }

    private var share: Int { most / 4 }

    var total: Int { state.withLock(\.total) }

    /// Counts a complete reply until ``release(_:of:)``; returns the problem to answer with instead if it exceeds a
    /// limit.
    ///
    /// A peer without unread replies gets one of any size.
    func admit(_ bytes: Int, of peer: String) -> Problem? {
        state.withLock { state in
            if let problem = refusal(of: bytes, to: peer, state) { return problem }
            state.change(peer) { $0.admitted += bytes }
            return nil
        }
    }

    /// The problem to answer with if a reply of this size does not fit at present; counts nothing.
    func refusal(of bytes: Int, to peer: String) -> Problem? { state.withLock { refusal(of: bytes, to: peer, $0) } }

    private func refusal(of bytes: Int, to peer: String, _ state: borrowing State) -> Problem? {
        let own = state.byPeer[peer, default: Bytes()].all
        let fits = own == 0 ? state.total < most : own + bytes <= share && state.total + bytes <= most
        guard !fits, bytes > Self.small else { return nil }
        return Problem(
            .tooManyRequests,
            "The client with \(peer) has \(HumanBytes.text(own)) of replies that it has not read.",
            remedy: "Read each reply, and send fewer requests at once.",
            retryAfter: .seconds(1)
        )
    }

    func release(_ bytes: Int, of peer: String) { state.withLock { $0.change(peer) { $0.admitted -= bytes } } }

    /// Counts bytes given to a connection, which has `pending` already.
    ///
    /// Returns false if the other connections of the peer have twice its share: so many live streams are not read.
    func add(_ bytes: Int, to pending: Int, of peer: String) -> Bool {
        state.withLock { state in
            state.change(peer) { $0.queued += bytes }
            return state.byPeer[peer, default: Bytes()].queued - pending - bytes <= 2 * share
        }
    }

    func remove(_ bytes: Int, of peer: String) { state.withLock { $0.change(peer) { $0.queued -= bytes } } }
}
