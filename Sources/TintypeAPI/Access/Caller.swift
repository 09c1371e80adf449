// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

struct Caller: Sendable {
    /// For example `uid 1000` or `token dashboard`.
    let name: String
    let via: AccessReport.Means
    /// The rules or exceptions that grant access, in words.
    let reasons: [String]
    private var rights: [AccessRule.Right]
    /// Subject and remedy of ``denied(_:for:)`` if they are not the usual ones.
    private var refusal: (who: String, remedy: String)?

    /// The same client with the role `view` at most, for a request that another page may have made its browser send.
    ///
    /// A client that has no more than that anyway keeps its own remedy.
    var asViewer: Caller {
        guard hasPart(.still) || rights.contains(.work) else { return self }
        var viewer = self
        viewer.rights = rights.filter { $0 != .work }.map { right -> AccessRule.Right in
            if case .role(_, let cameras) = right { .role(.view, cameras: cameras) } else { right }
        }
        viewer.refusal = (
            who: "a browser that does not say which page asks (without Origin, Sec-Fetch-Site and Referer)",
            remedy: via == .token
                ? "Sign in on the page of tintyped, use https, or give a token in the address of a picture (?token=)."
                : "Use https, or sign in on the page of tintyped with a token (see “tintype token”), or give it in the "
                    + "address of a picture (?token=)."
        )
        return viewer
    }

    /// Role for all cameras and for the daemon; nil if none.
    var role: Role? { role { $0 == nil } }

    func role(for camera: String) -> Role? { role { $0?.contains(camera) ?? true } }

    private func role(where fits: ([String]?) -> Bool) -> Role? {
        rights.compactMap { right in
            guard case .role(let role, let cameras) = right, fits(cameras) else { return nil }
            return role
        }.max()
    }

    /// Filters that grant stored frames in addition to those of its cameras.
    var frameFilters: [FrameFilter] {
        rights.compactMap { right in if case .frames(let filter) = right { filter } else { nil } }
    }

    /// True if the client has at least this role for at least one camera.
    fileprivate func hasPart(_ needed: Role) -> Bool {
        rights.contains { right in if case .role(let role, _) = right { role >= needed } else { false } }
    }

    /// Filter of the stored frames for which the client has at least this role; nil for all frames.
    ///
    /// A rule by filter grants a film or clip, which may show other pictures, only if it asks for it.
    func frames(_ needed: Role) -> FrameFilter? {
        if let role, role >= needed { return nil }
        var filters = needed == .view ? frameFilters.map(\.ofStillsUnlessAsked) : []
        for case .role(let role, let cameras?) in rights where role >= needed {
            filters += cameras.map { .is(.camera($0)) }
        }
        return .any(filters)
    }

    func sees(_ event: Event) -> Bool {
        event.kind == .gap || role != nil || event.camera.map { role(for: $0) != nil } ?? false
    }

    func sees(_ job: Job) -> Bool { (job.camera.flatMap { role(for: $0) } ?? role) != nil }

    /// Throws if the client lacks the role for `camera` or, if nil, for all cameras.
    ///
    /// A camera for which it has no role is reported as nonexistent, unless no rule for cameras or frames applies to the
    /// client at all.
    func require(_ needed: Role, for camera: String?) throws(Problem) {
        guard let camera else {
            if let role, role >= needed { return }
            throw denied(needed, for: "every camera")
        }
        guard let role = role(for: camera) else {
            throw rights.allSatisfy { $0 == .work } ? denied(needed, for: "a camera") : .noCamera(camera)
        }
        if role < needed { throw denied(needed, for: "the camera \(camera)") }
    }

    /// Throws if the client lacks the role for the camera of a film or clip, for other jobs that for all cameras.
    ///
    /// A job that it may not see is reported as nonexistent by `name`.
    func require(_ needed: Role, for job: Job, named name: String) throws(Problem) {
        guard sees(job) else { throw .noJob(name) }
        try require(needed, for: job.camera)
    }

    /// Throws if the client lacks the role for every camera.
    func requirePart(_ needed: Role) throws(Problem) { if !hasPart(needed) { throw denied(needed, for: "a camera") } }

    /// Throws if the client lacks the role for every camera; for `view`, a frame filter suffices.
    func requireFrames(_ needed: Role) throws(Problem) {
        if needed != .view || frameFilters.isEmpty { try requirePart(needed) }
    }

    /// Throws for a client that is not the worker and has not the role admin.
    func requireWork() throws(Problem) {
        if !rights.contains(.work), role != .admin { throw denied("right work") }
    }

    func denied(_ needed: Role, for what: String) -> Problem { denied("role \(needed.rawValue) for \(what)") }

    private func denied(_ needed: String) -> Problem {
        Problem(
            .accessDenied,
            "This takes the \(needed), which \(refusal?.who ?? name) does not have.",
            remedy: refusal?.remedy
                ?? "Ask who runs tintyped for a rule in its configuration (access), and see “tintype access”."
        )
    }
}

extension Caller {
    init(name: String, via: AccessReport.Means, rules: [AccessRule]) {
        self.init(name: name, via: via, reasons: rules.map(\.description), rights: rules.map(\.right))
    }

    init(all name: String, because reason: String) {
        self.init(name: name, via: .user, reasons: [reason], rights: [.role(.admin, cameras: nil)])
    }
}
