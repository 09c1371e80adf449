// SPDX-License-Identifier: Apache-2.0
internal import NIOCore

/// A request on its way through the channel, with the promise of its reply.
struct Exchange: Sendable {
    let request: ControlRequest
    /// When the reply must be whole; nil for no limit.
    let deadline: NIODeadline?
    let reply: EventLoopPromise<ControlResponse>
    /// Gets each line of the content of a 2xx as it comes, which is no part of the reply then; nil to keep them all there.
    let lines: AsyncStream<[UInt8]>.Continuation?
}
