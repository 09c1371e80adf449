// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
internal import TintypeModel

extension OpenCamera {
    /// Samples the held frame for motion if a sample is due, but no full-size frame, which is for one still, and none
    /// of the first frames without timestamps, which may hold anything.
    func sampleForMotion() {
        guard let motion = context.motion, motion.isDue, settling.hasBegun, !plan.isFullSize,
            !controls.shutter.isClosed, let frame = sharedFrame(after: sampled)
        else { return }
        sampled = frame.key
        motion.begin()
        context.encoder.threads.sample(frame) { motion.finish($0, of: frame) }
    }

    /// Judges the held frame for alarms if clients took none for a while.
    func judgeForAlarms() {
        guard context.alarms != nil, !controls.shutter.isClosed, let stamp = visibleStamp else { return }
        let key = FrameKey(stream: plan.number, ordinal: stamp.ordinal)
        context.encoder.judge(key, after: AlarmWatch.idleInterval) { sharedFrame(after: nil) }
    }
}
