// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel
internal import TintypeSystem

/// What keeps a camera open though no client waits for a frame: its warmth, start and stop by command, and leases.
struct CameraUse {
    /// Started by command: open until it is stopped.
    var isStarted = false
    /// Stopped by command: even a hot camera stays closed until a client asks.
    private(set) var isStopped = false
    /// The leases.
    var holds = HoldTable()

    /// Whether the device has to be open.
    func keepsOpen(_ warmth: Warmth) -> Bool { warmth == .hot && !isStopped || isStarted || !holds.isEmpty }

    /// How long the device stays open after its last use; nil for ever.
    func lingering(_ warmth: Warmth) -> Duration? {
        guard !isStarted, holds.isEmpty else { return nil }
        return switch warmth {
        case .hot: nil
        case .linger(let time): time
        case .cold: .zero
        }
    }

    /// The device is opened: a stop by command is over.
    mutating func opens() { isStopped = false }

    /// Stopped by command, which ends all leases; returns them.
    mutating func stop() -> [HoldTable.Hold] {
        isStarted = false
        isStopped = true
        return holds.release(nil)
    }
}

/// The leases on one camera, by owner; on the session's thread.
struct HoldTable: Sendable {
    /// One lease.
    struct Hold: Hashable, Sendable {
        let owner: String
        /// When it ends by itself.
        ///
        /// Monotonic, so that a step of the wall clock neither ends nor prolongs it.
        var end: MonotonicTime
    }

    /// All leases, in the order of their owners.
    private(set) var holds: [Hold] = [] {
        didSet { nextEnd = holds.map(\.end).min() }
    }

    var isEmpty: Bool { holds.isEmpty }

    /// When the next one ends by itself; nil if there is none.
    private(set) var nextEnd: MonotonicTime?

    /// The earlier of that and `moment`; nil if there is neither.
    func nextEnd(orEarlier moment: MonotonicTime?) -> MonotonicTime? {
        guard let nextEnd else { return moment }
        return moment.map { min($0, nextEnd) } ?? nextEnd
    }

    func contains(_ owner: String) -> Bool { holds.contains { $0.owner == owner } }

    /// Adds a lease, or extends that of the same owner, which never gets shorter by this.
    ///
    /// Returns it as it is now; nil if there are ``HoldRequest/mostOwners`` others.
    mutating func hold(_ owner: String, until end: MonotonicTime) -> Hold? {
        if let index = holds.firstIndex(where: { $0.owner == owner }) {
            holds[index].end = max(holds[index].end, end)
            return holds[index]
        }
        guard holds.count < HoldRequest.mostOwners else { return nil }
        let hold = Hold(owner: owner, end: end)
        holds.insert(hold, at: holds.firstIndex { $0.owner > owner } ?? holds.endIndex)
        return hold
    }

    /// Ends the lease of `owner`, or all; returns those that it ended.
    mutating func release(_ owner: String?) -> [Hold] {
        let ended = holds.filter { owner == nil || $0.owner == owner }
        holds.removeAll { owner == nil || $0.owner == owner }
        return ended
    }

    /// Ends the leases whose time has come; returns them.
    ///
    /// Allocates nothing while there is none.
    mutating func expire(at now: MonotonicTime) -> [Hold] {
        guard let nextEnd, nextEnd <= now else { return [] }
        let ended = holds.filter { $0.end <= now }
        holds.removeAll { $0.end <= now }
        return ended
    }
}

extension CameraHold {
    /// The lease in the API's words: its end, a moment of `clock`, becomes a time of the wall clock.
    init(_ hold: HoldTable.Hold, by clock: any MonotonicClock) {
        self.init(owner: hold.owner, until: clock.wall(at: hold.end))
    }
}
