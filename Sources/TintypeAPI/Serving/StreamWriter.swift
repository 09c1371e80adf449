// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import NIOCore
internal import NIOHTTP1
internal import Synchronization

/// Writes the parts of a stream next to the socket, on the connection's event loop: a close-delimited body (RFC 9112,
/// 6.3) needs neither the HTTP encoder nor a handler above it.
///
/// A write completes once the kernel has accepted all of it. The kernel buffers about one part at most, so a slow
/// client still gets recent pictures.
struct StreamWriter {
    private let channel: any Channel
    /// Context of the response encoder: what is written from there passes only what is next to the socket.
    private let encoder: NIOLoopBound<ChannelHandlerContext>
    /// Part size that the socket buffer is set for, in bytes; 0 for the kernel's default.
    private var partBytes = 0

    private static let unsent = NIOBSDSocket.Option(rawValue: TCP_NOTSENT_LOWAT)

    /// The head of the reply must have been written; throws if there is no connection any more.
    init(_ channel: (any Channel)?) throws {
        guard let channel else { throw ChannelError.ioOnClosedChannel }
        self.channel = channel
        let pipeline = channel.pipeline.syncOperations
        // It has dropped the head of the reply.
        if try pipeline.handler(type: HTTPRulesHandler.self).isShutDown { throw ChannelError.alreadyClosed }
        let context = try pipeline.context(handlerType: HTTPResponseEncoder.self)
        encoder = NIOLoopBound(context, eventLoop: channel.eventLoop)
        // A write waits for its own end, so the handlers above need not hear when more can be written.
        let mark = ChannelOptions.Types.WriteBufferWaterMark(low: 1 << 30, high: 1 << 30 + 1)
        try channel.syncOptions?.setOption(.writeBufferWaterMark, value: mark)
    }

    /// Writes a part, whose pieces are not copied; throws if the connection is closed.
    mutating func write(_ pieces: ByteBuffer...) async throws {
        setSendBuffer(pieces.reduce(0) { $0 + $1.readableBytes })
        let context = encoder.value
        let sent = context.eventLoop.makePromise(of: Void.self)
        for piece in pieces.dropLast() {
            context.write(NIOAny(IOData.byteBuffer(piece)), promise: nil)
        }
        context.writeAndFlush(NIOAny(IOData.byteBuffer(pieces[pieces.count - 1])), promise: sent)
        try await sent.futureResult.get()
    }

    /// Sizes the socket buffer for about one part.
    ///
    /// On a Unix socket the kernel doubles SO_SNDBUF (socket(7)) and accepts more once three quarters of it have been
    /// read. Over TCP it accepts more once the unsent data drops below TCP_NOTSENT_LOWAT (tcp(7)), regardless of data
    /// in flight.
    private mutating func setSendBuffer(_ bytes: Int) {
        guard bytes > partBytes || bytes < partBytes / 2 else { return }
        partBytes = bytes + bytes / 4
        let size = SocketOptionValue(partBytes / 2)
        let isUnix = channel.localAddress?.protocol == .unix
        let option =
            isUnix ? .socketOption(.so_sndbuf) : ChannelOptions.Types.SocketOption(level: .tcp, name: Self.unsent)
        try? channel.syncOptions?.setOption(option, value: size)
    }
}

/// Buffers of the newest streamed pictures with ``PicturePart/end``, one for all viewers of a picture; any thread.
final class SharedPictures: Sendable {
    private struct State {
        /// Replies, and their cameras: as many pictures as can be written at a time.
        var viewers = (replies: 0, pictures: 0)
        var newest: [(jpeg: [UInt8], buffer: ByteBuffer)] = []

        func buffer(of jpeg: [UInt8]) -> ByteBuffer? {
            newest.first { $0.jpeg.span.isIdentical(to: jpeg.span) }?.buffer
        }
    }

    static let all = SharedPictures()
    /// Pictures of more cameras, or of other sizes, are copied.
    private static let most = 32
    private let state = Mutex(State())

    /// Adds a reply with pictures of so many cameras.
    func addViewer(of cameras: Int) {
        state.withLock { $0.viewers = ($0.viewers.replies + 1, $0.viewers.pictures + cameras) }
    }

    func removeViewer(of cameras: Int) {
        state.withLock { state in
            state.viewers = (state.viewers.replies - 1, state.viewers.pictures - cameras)
            // A single viewer shares with nobody.
            if state.viewers.replies <= 1 { state.newest = [] }
        }
    }

    func buffer(of jpeg: [UInt8]) -> ByteBuffer {
        if let known = state.withLock({ $0.buffer(of: jpeg) }) { return known }
        var buffer = ByteBufferAllocator().buffer(capacity: jpeg.count + PicturePart.end.utf8.count)
        buffer.writeBytes(jpeg)
        buffer.writeString(PicturePart.end)
        return state.withLock { state in
            // Another event loop may have made it meanwhile.
            if let known = state.buffer(of: jpeg) { return known }
            guard state.viewers.replies > 1 else { return buffer }
            state.newest.append((jpeg, buffer))
            let most = min(state.viewers.pictures, Self.most)
            state.newest.removeFirst(max(0, state.newest.count - most))
            return buffer
        }
    }
}
