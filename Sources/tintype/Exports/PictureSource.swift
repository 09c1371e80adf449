// SPDX-License-Identifier: Apache-2.0
internal import TintypeClient
internal import TintypeModel

/// Where the pictures of stored frames are had from: their file, where it can be read, else the daemon.
struct PictureSource<Exchange: ControlExchange> {
    private let exchange: Exchange
    private let readsFiles: Bool

    /// With `readsFiles` false every picture comes from the daemon.
    init(_ exchange: Exchange, readsFiles: Bool = true) {
        self.exchange = exchange
        self.readsFiles = readsFiles
    }

    /// The path of the picture's file if this user can read it, and it has the length that the record says.
    func file(of frame: FrameRecord) -> String? {
        guard readsFiles, let path = frame.still.path, SystemCalls.file(path, of: frame.still.bytes) != nil else {
            return nil
        }
        return path
    }

    /// The picture; throws `frame-not-found` where it is gone.
    func picture(of frame: FrameRecord) async throws -> [UInt8] {
        if readsFiles, let path = frame.still.path, let bytes = SystemCalls.file(path, of: frame.still.bytes) {
            return bytes
        }
        return try await exchange.image(of: frame.still.id)
    }
}
