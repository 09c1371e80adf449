// SPDX-License-Identifier: Apache-2.0
internal import Hummingbird
internal import TintypeModel

extension Response {
    /// Orders as lines of JSON, until the session ends or `isCurrent` returns false; the session ends with the reply.
    init(orders session: any WorkSession, while isCurrent: @escaping @Sendable () -> Bool) {
        let body = ResponseBody { writer in
            // Not only by its release: the claims end as soon as the client has disconnected.
            defer { session.end() }
            while isCurrent(), let order = await session.next() {
                try await writer.write(.line(WireFormat.encode(order)))
            }
            try await writer.finish(nil)
        }
        self.init(status: .ok, headers: .uncached(WorkOrder.mediaType), body: body)
    }
}
