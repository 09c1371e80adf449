// SPDX-License-Identifier: Apache-2.0
internal import Hummingbird
internal import Logging
internal import TintypeModel

/// The facts that a route knows of its request besides the request itself.
struct ControlContext: RequestContext {
    /// Where a context comes from: a logger and the client, so that the router runs without a connection too.
    struct Source: RequestContextSource {
        let logger: Logger
        let peer: Peer
        let access: AccessPolicy
    }

    var coreContext: CoreRequestContextStorage
    let peer: Peer
    let access: AccessPolicy
    /// Who sends the request, or why that is not known.
    var client: Result<Caller, Problem>
    /// How often the rules of access had changed when that was found out.
    private let changes: Int

    init(source: Source) {
        coreContext = CoreRequestContextStorage(source: source)
        (peer, access) = (source.peer, source.access)
        changes = source.access.changes
        client = .failure(Problem(.unauthenticated, "The client is not known.", remedy: "Report this."))
    }

    func camera() throws -> String { Self.decoded(try parameters.require("camera")) }

    /// The same; nil where the path names none.
    var namedCamera: String? { parameters.get("camera").map(Self.decoded) }

    /// A part of a path without its percent-encoding (RFC 3986, 2.1); as it is where that gives no UTF-8.
    private static func decoded(_ part: String) -> String {
        let encoded = Array(part.utf8)
        let digit = { (index: Int) -> Int? in
            encoded.indices.contains(index) ? Character(UnicodeScalar(encoded[index])).hexDigitValue : nil
        }
        var bytes: [UInt8] = []
        var index = 0
        while index < encoded.count {
            if encoded[index] == UInt8(ascii: "%"), let high = digit(index + 1), let low = digit(index + 2) {
                bytes.append(UInt8(high << 4 | low))
                index += 3
            } else {
                bytes.append(encoded[index])
                index += 1
            }
        }
        return String(validating: bytes, as: UTF8.self) ?? part
    }

    /// Who sends the request; throws `unauthenticated` where that is not known.
    var caller: Caller { get throws(Problem) { try client.get() } }

    /// Whether the rules of access are still those by which the request was let in; from any thread, later too.
    var isCurrent: @Sendable () -> Bool { { [access, changes] in access.changes == changes } }

    func own(_ frames: any FrameService) throws(Problem) -> OwnFrames { OwnFrames(frames: frames, caller: try caller) }

    /// Takes what `take` makes of `request`, which opens no camera for a client that may only view.
    ///
    /// Throws `access-denied` for what such a client may not have, and where the camera is off.
    func opening<Value>(
        _ camera: String,
        _ request: StillRequest,
        _ take: (StillRequest) async throws(Problem) -> Value
    ) async throws(Problem) -> Value {
        let caller = try caller
        guard caller.role(for: camera) ?? .view < .still else { return try await take(request) }
        let denied = caller.denied(.still, for: "the camera \(camera)")
        // Both change what others have: the spool, and a stream that is interrupted.
        if request.keep || request.isLargest { throw denied }
        // It has said itself that it wants no more.
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
