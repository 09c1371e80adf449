// SPDX-License-Identifier: Apache-2.0
internal import NIOCore
internal import Synchronization

/// The open connections, to end them with.
///
/// Any thread may call it; nothing blocks.
final class ConnectionTable: Sendable {
    private struct State {
        var channels: [ObjectIdentifier: any Channel] = [:]
        var isQuiescing = false
    }

    private let state = Mutex(State())

    /// Keeps `channel` until it closes; closes it at once if the server is stopping.
    func add(_ channel: any Channel) {
        let key = ObjectIdentifier(channel)
        let isLate = state.withLock { state in
            if !state.isQuiescing { state.channels[key] = channel }
            return state.isQuiescing
        }
        guard !isLate else {
            channel.close(promise: nil)
            return
        }
        channel.closeFuture.whenComplete { [self] _ in
            state.withLock { _ = $0.channels.removeValue(forKey: key) }
        }
    }

    /// Lets every connection end after the request that it is at; those at none end now.
    func quiesce() {
        let channels = state.withLock { state in
            state.isQuiescing = true
            return Array(state.channels.values)
        }
        for channel in channels { channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
    }

    /// Ends every connection now.
    func close() {
        let channels = state.withLock { state in
            state.isQuiescing = true
            return Array(state.channels.values)
        }
        for channel in channels { channel.close(promise: nil) }
    }
}
