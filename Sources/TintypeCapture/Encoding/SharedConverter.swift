// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
package import TintypeDevice
internal import TintypeImaging
internal import TintypeModel
internal import TintypeSystem

/// Pixel converter of one stream, for the encoding threads; use it only on its ``line``.
package final class SharedConverter: Sendable {
    let line = EncodingLine()
    // Never contended: the line runs one piece of work at a time.
    private let converter: Mutex<PixelConverter>

    package init(_ converter: consuming sending PixelConverter) { self.converter = Mutex(converter) }

    /// Converts the frame and calls `body` with the picture and its layout; blocks; call it only on the ``line``.
    func convert<R: Sendable>(
        _ frame: RawSpan,
        _ body: (RawSpan, PictureLayout) throws(ImagingError) -> R
    ) throws(ImagingError) -> R {
        try converter.withLock { (converter) throws(ImagingError) in
            do throws(ConversionError) {
                try converter.convert(frame)
            } catch {
                switch error {
                case .short(let have, let need): throw .short(have: have, need: need)
                case .failed: throw .converter
                }
            }
            return try converter.withPicture(body)
        }
    }
}

/// Serial queue on the encoding threads, whose waiting work occupies no thread and is run for the clients in turn; any
/// thread, never blocks.
final class EncodingLine: Sendable {
    typealias Work = WorkerThreads<EncodingThreads.Codecs>.Work

    private struct State {
        var isBusy = false
        var waiting = FairQueue<(work: Work, client: String?)>()
    }

    private let state = Mutex(State())

    /// Appends `work` and returns at once.
    func submit(
        _ work: @escaping Work,
        for client: String? = nil,
        to threads: WorkerThreads<EncodingThreads.Codecs>
    ) {
        let isFirst = state.withLock { state in
            if state.isBusy { state.waiting.append((work, client), of: client) }
            return !exchange(&state.isBusy, with: true)
        }
        if isFirst { run(work, for: client, on: threads) }
    }

    private func run(_ work: @escaping Work, for client: String?, on threads: WorkerThreads<EncodingThreads.Codecs>) {
        threads.submit(for: client) { [self] codecs in
            work(&codecs)
            let next = state.withLock { state in
                let next = state.waiting.popFirst()
                state.isBusy = next != nil
                return next
            }
            if let next { run(next.work, for: next.client, on: threads) }
        }
    }
}
