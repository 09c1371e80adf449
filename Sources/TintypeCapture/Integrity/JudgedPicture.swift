// SPDX-License-Identifier: Apache-2.0
package import TintypeImaging
package import TintypeModel

/// A captured picture that was found good enough for a client, and how good it is.
package struct JudgedPicture: Sendable {
    /// How whole the frame is.
    package let verdict: Verdict
    /// What is wrong with it, each once.
    package let faults: [PictureFault]
    /// The camera's own JPEG picture; nil for pixels.
    ///
    /// What it lacks is put in, and the file is whole; for ``Integrity/raw`` it is as the driver delivered it.
    package let whole: WholeJPEG?
    /// The size of the picture.
    package let size: FrameSize
    /// Whether it shows anything; nil where judging it did not tell.
    var emptiness: Emptiness?

    /// Calls `body` with the pixels of the picture that was judged: where bytes are missing, with zeros in their place.
    func withPixels<R, E: Error>(of picture: CapturedPicture, _ body: (RawSpan) throws(E) -> R) throws(E) -> R {
        try picture.withBytes(atLeast: faults.contains(.short) ? picture.layout.byteCount ?? 0 : 0, body)
    }
}

extension CapturedPicture {
    /// Calls `body` with the camera's own JPEG picture as the file that it was found to be.
    func withFile<R, E: Error>(_ whole: WholeJPEG, _ body: (RawSpan) throws(E) -> R) throws(E) -> R {
        try withBytes { (bytes) throws(E) in try whole.withBytes(of: bytes, body) }
    }
}
