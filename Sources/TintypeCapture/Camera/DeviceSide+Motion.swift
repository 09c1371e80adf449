// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
internal import TintypeFrames

/// Motion, judged on samples of a few frames a second, which are taken on the encoding threads.
extension DeviceSide {
    /// Has a sample of the held frame taken if one is due.
    ///
    /// Frames of the largest size are for one still, and what an undated stream begins with may hold anything.
    func watchForMotion() {
        guard let motion = context.motion, motion.isDue, let camera, camera.settling.tracker != nil,
            !camera.plan.isFullSize, !shutter.isClosed,
            let shared = sharedFrame(of: camera, after: camera.sampled)
        else { return }
        camera.sampled = shared.key
        motion.begin()
        context.encoding.sample(shared) { motion.finish($0, of: shared) }
    }
}
