// SPDX-License-Identifier: Apache-2.0

extension CaptureDevice {
    /// Most devices leave alone what they lent.
    package var overwritesLentBuffers: Bool { false }
    /// Most devices cannot tell.
    package func exposureTime() -> Duration? { nil }
}
