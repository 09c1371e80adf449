// SPDX-License-Identifier: Apache-2.0

extension CaptureDevice {
    /// Most devices leave alone what they lent.
    package var overwritesLentBuffers: Bool { false }
    /// Most devices leave alone what they lent.
    package func mayHaveOverwritten(_ lease: borrowing FrameLease) -> Bool { false }
    /// Most devices cannot tell.
    package func exposureTime() -> Duration? { nil }
}
