// SPDX-License-Identifier: Apache-2.0
internal import Hummingbird
internal import Logging
internal import NIOCore
internal import TintypeModel
internal import TintypeSystem

struct ControlContext: RequestContext {
    /// Independent of a channel: the router also runs without a connection.
    struct Source: RequestContextSource {
        let logger: Logger
        let peer: Peer
        let access: AccessPolicy
        let limits: BodyLimits
        let reply: ReplyAdmission
        let channel: (any Channel)?
    }

    var coreContext: CoreRequestContextStorage
    let peer: Peer
    let access: AccessPolicy
    let limits: BodyLimits
    let reply: ReplyAdmission
    /// Nil without a connection.
    let channel: (any Channel)?
    /// The identified client, or the reason why identification failed.
    var client: Result<Caller, Problem>
    /// Raised by a handler that only reports what a change would do; it is then not logged as one.
    let isDryRun = OnceFlag()
    /// ``AccessPolicy/changes`` at the start of the request.
    private let changes: Int

    init(source: Source) {
        coreContext = CoreRequestContextStorage(source: source)
        (peer, access, limits, reply) = (source.peer, source.access, source.limits, source.reply)
        channel = source.channel
        changes = source.access.changes
        client = .failure(Problem(.unauthenticated, "The client is not known.", remedy: "Report this."))
    }

    func camera() throws -> String { try segment("camera") }
    func profile() throws -> String { try segment("profile") }

    /// Percent-decoded segment of the path.
    func segment(_ name: String) throws -> String { Self.decoded(try parameters.require(name)) }

    /// nil if the path has no camera.
    var namedCamera: String? { parameters.get("camera").map(Self.decoded) }

    /// Percent-decodes a path segment (RFC 3986, 2.1); returns it unchanged if the result is not UTF-8.
    private static func decoded(_ part: String) -> String {
        guard part.contains("%") else { return part }
        var bytes: [UInt8] = []
        var rest = part.utf8[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2).compactMap { Character(UnicodeScalar($0)).hexDigitValue }
            if byte == UInt8(ascii: "%"), digits.count == 2 {
                bytes.append(UInt8(digits[0] << 4 | digits[1]))
                rest.removeFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self) ?? part
    }

    /// Throws `unauthenticated` if the client was not identified.
    var caller: Caller { get throws(Problem) { try client.get() } }

    /// True while the access rules are those of the start of the request; any thread, also after the request.
    var isCurrent: @Sendable () -> Bool { { [access, changes] in access.changes == changes } }

    func own(_ frames: any FrameService) throws(Problem) -> AuthorizedFrames {
        AuthorizedFrames(frames: frames, caller: try caller)
    }

    /// Calls `take`; for a client with only the role view, with a request that does not open the camera.
    ///
    /// Throws `access-denied` if such a client asks for more than it may have, or if the camera is off.
    func opening<Value>(
        _ camera: String,
        _ request: StillRequest,
        _ take: (StillRequest) async throws(Problem) -> Value
    ) async throws(Problem) -> Value {
        let caller = try caller
        try reply.requireRoomForPicture()
        guard caller.role(for: camera) ?? .view < .still else { return try await take(request) }
        let denied = caller.denied(.still, for: "the camera \(camera)")
        // Both affect others: `keep` writes to the spool, and `isLargest` interrupts the stream.
        if request.keep || request.isLargest { throw denied }
        // The request itself excludes opening the camera.
        if !request.opens { return try await take(request) }
        var wanted = request
        wanted.opens = false
        do {
            return try await take(wanted)
        } catch {
            guard error.code == .cameraOff else { throw error }
            throw Problem(.accessDenied, "The camera \(camera) is off. \(denied.detail)", remedy: denied.remedy)
        }
    }
}
