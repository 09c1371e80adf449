// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

/// One way to make a picture of a frame: whoever wants the same one of the same frame shares it.
package struct Rendition: Hashable, Sendable {
    /// What is made of the frame; its quality is said.
    package var rendering: StillRendering
    /// How whole the frame has to be for it.
    package var integrity: Integrity

    /// A rendition of these parts.
    package init(_ rendering: StillRendering, integrity: Integrity) {
        self.rendering = rendering
        self.integrity = integrity
    }

    /// The JPEG quality.
    var quality: Int { rendering.quality ?? StillRequest.defaultQuality }
}
