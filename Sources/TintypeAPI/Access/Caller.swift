// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// A client that sends a request, and what it may do.
struct Caller: Sendable {
    /// As in `uid 1000` or `token dashboard`.
    let name: String
    /// What the daemon knows it by.
    let via: AccessReport.Means
    /// What gives it its access, in words.
    let reasons: [String]
    private let rights: [AccessRule.Right]

    /// A client to which each of `rules` applies: all their rights become its own.
    init(name: String, via: AccessReport.Means, rules: [AccessRule]) {
        self.name = name
        self.via = via
        reasons = rules.map(\.description)
        rights = rules.map(\.right)
    }

    /// A client that may do everything, for a reason.
    init(all name: String, because reason: String) {
        self.name = name
        via = .user
        reasons = [reason]
        rights = [.role(.admin, cameras: nil)]
    }

    /// Its role for every camera and for the daemon as a whole; nil for none.
    var role: Role? { role { $0 == nil } }

    /// Its role for one camera; nil for none.
    func role(for camera: String) -> Role? { role { $0?.contains(camera) ?? true } }

    private func role(where fits: ([String]?) -> Bool) -> Role? {
        rights.compactMap { right in
            guard case .role(let role, let cameras) = right, fits(cameras) else { return nil }
            return role
        }.max()
    }

    /// The filters of the frames that it sees besides those of its cameras.
    var frameFilters: [FrameFilter] {
        rights.compactMap { right in if case .frames(let filter) = right { filter } else { nil } }
    }

    /// Whether it has this role for at least one camera.
    fileprivate func hasPart(_ needed: Role) -> Bool {
        rights.contains { right in if case .role(let role, _) = right { role >= needed } else { false } }
    }

    /// The stored frames for which it has this role; nil for all.
    func frames(_ needed: Role) -> FrameFilter? {
        if let role, role >= needed { return nil }
        var filters = needed == .view ? frameFilters : []
        for case .role(let role, let cameras?) in rights where role >= needed {
            filters += cameras.map { .is(.camera($0)) }
        }
        return .any(filters)
    }

    func sees(_ event: Event) -> Bool {
        event.kind == .gap || role != nil || event.camera.map { role(for: $0) != nil } ?? false
    }
}

extension Caller {
    /// Throws why it may not do what takes `needed`, with `camera`, or with the daemon as a whole.
    ///
    /// A camera for which it has no role does not exist for it.
    func require(_ needed: Role, for camera: String?) throws(Problem) {
        guard let camera else {
            if let role, role >= needed { return }
            throw denied(needed, for: "every camera")
        }
        guard let role = role(for: camera) else {
            throw reasons.isEmpty ? denied(needed, for: "a camera") : .noCamera(camera)
        }
        if role < needed { throw denied(needed, for: "the camera \(camera)") }
    }

    /// Throws where it has this role for no camera.
    func requirePart(_ needed: Role) throws(Problem) {
        if !hasPart(needed) { throw denied(needed, for: "a camera") }
    }

    /// Throws where it has this role for no camera and, to see some, for no stored frames.
    func requireFrames(_ needed: Role) throws(Problem) {
        if needed != .view || frameFilters.isEmpty { try requirePart(needed) }
    }

    /// That it has not the role which something takes.
    func denied(_ needed: Role, for what: String) -> Problem {
        Problem(
            .accessDenied,
            "This takes the role \(needed.rawValue) for \(what), which \(name) does not have.",
            remedy: "Ask who runs tintyped for a rule in its configuration (access), and see “tintype access”."
        )
    }
}

extension Problem {
    static func noCamera(_ name: String) -> Problem {
        Problem(
            .cameraNotFound,
            "There is no camera “\(name)” that you have access to.",
            remedy: "See GET /v1/cameras for those that there are, or “tintype access”."
        )
    }
}
