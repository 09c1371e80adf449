// SPDX-License-Identifier: Apache-2.0
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import TintypeModel

extension Response {
    /// `value` as JSON; never to be cached, since it tells of now.
    init(json value: some Encodable, status: HTTPResponse.Status = .ok) throws {
        self.init(
            status: status,
            headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: try WireFormat.encode(value)))
        )
    }

    /// The reply to stills that were taken: 201, and where it is if there is one and it is stored.
    init(taken list: StillList) throws {
        try self.init(json: list, status: .created)
        if list.stills.count == 1, let record = list.stills.first, record.stored != .no {
            headers[.location] = "/v1/frames/\(record.id)"
        }
    }
}
