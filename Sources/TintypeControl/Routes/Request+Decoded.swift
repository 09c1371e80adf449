// SPDX-License-Identifier: Apache-2.0
internal import Hummingbird
internal import NIOCore
internal import TintypeModel

extension Request {
    /// The value in the body, which is JSON whatever its type says; nil if it is empty.
    ///
    /// Throws `invalid-request`, `too-large` or `request-timeout`.
    func decoded<Value: Decodable>(_ type: Value.Type, _ limits: ServerLimits) async throws -> Value? {
        let body = try await smallBody(limits)
        guard body.readableBytes > 0 else { return nil }
        return try WireFormat.decode(type, from: body.readableBytesView)
    }

    /// The value in the body, which must not be empty.
    func required<Value: Decodable>(_ type: Value.Type, _ limits: ServerLimits) async throws -> Value {
        try WireFormat.decode(type, from: try await smallBody(limits).readableBytesView)
    }
}
