// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeModel

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
