// SPDX-License-Identifier: Apache-2.0
internal import NIOCore

/// A request on its way through the channel, with the promise of its reply.
struct Exchange: Sendable {
    let request: ControlRequest
    /// When the reply must be whole; nil for no limit.
    let deadline: NIODeadline?
    let reply: EventLoopPromise<ControlResponse>
}
