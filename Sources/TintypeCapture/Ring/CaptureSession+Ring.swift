// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
internal import TintypeModel

extension CaptureSession {
    /// Puts the frame that is held into the ring, if there is one: at once where it is a JPEG picture.
    ///
    /// Returns whether it is to be encoded for it.
    func keepInRing(_ stamp: FrameStamp, key: FrameKey) -> Bool {
        guard let ring, !excursion.isOut, let layout = granted?.layout else { return false }
        // What a stream without times begins with may have been taken at any time.
        guard stamp.source != .dequeue || stamp.ordinal > 1 else { return false }
        guard layout.pixelFormat.isJPEG, converter == nil else {
            return ring.reserve(stamp, key: key, slept: sleptBefore)
        }
        let slept = sleptBefore
        if let shared {
            shared.withBytes { ring.keep($0, stamp, key: key, layout: layout, slept: slept) }
        } else {
            switch held {
            case .some(let lease): lease.withBytes { ring.keep($0, stamp, key: key, layout: layout, slept: slept) }
            case .none: break
            }
        }
        return false
    }
}
