// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeModel

/// Bytes of the replies that clients have not read yet, limited in total and for each peer; any thread.
///
/// One peer has at most a quarter, so that clients that do not read keep out only those of their own user or address.
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

    /// Counts a complete reply until ``release(_:of:)``, or returns the problem to answer with if it exceeds a limit.
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

/// The reply to one request in the ``ReplyBudget``, counted until ``release()``; any thread.
final class ReplyAdmission: Sendable {
    private let budget: ReplyBudget
    private let peer: String
    /// Size counted; nil until the reply is admitted.
    private let bytes = Mutex<Int?>(nil)

    init(_ budget: ReplyBudget, of peer: String) { (self.budget, self.peer) = (budget, peer) }

    /// Counts a reply of this size; throws `too-many-requests` if the budget has no room for it.
    ///
    /// Once admitted, a reply is never refused, whatever its size turns out to be: a handler that stores something
    /// calls this first, so that a client that is refused can repeat its request.
    func admit(_ size: Int) throws(Problem) {
        let problem = bytes.withLock { bytes -> Problem? in
            if let counted = bytes {
                budget.release(counted - size, of: peer)
            } else if let problem = budget.admit(size, of: peer) {
                return problem
            }
            bytes = size
            return nil
        }
        if let problem { throw problem }
    }

    /// Size of a picture that must fit before one is made.
    private static let picture = 1 << 20

    /// Throws `too-many-requests` if a picture would not be admitted at present, so that none is made in vain.
    func requireRoomForPicture() throws(Problem) {
        if let problem = budget.refusal(of: Self.picture, to: peer) { throw problem }
    }

    func release() {
        bytes.withLock { bytes in
            budget.release(bytes ?? 0, of: peer)
            bytes = nil
        }
    }
}
