// SPDX-License-Identifier: Apache-2.0
internal import ServiceLifecycle
internal import TintypeCapture
internal import TintypeModel

/// Runs the publisher of a schedule only while there is motion.
///
/// The slots of a schedule without alignment are counted from the begin of the motion.
struct MotionPublisher: Service {
    let motion: MotionWatch
    let publisher: any Service
    let publication: Publication

    static var never: MonotonicTime { MonotonicTime(nanoseconds: .max) }

    func run() async { await cancelWhenGracefulShutdown { await publish() } }

    private func publish() async {
        while !Task.isCancelled {
            await motion.wait(for: true, until: Self.never)
            await withTaskGroup(of: Void.self) { group in
                group.addTask { try? await publisher.run() }
                await motion.wait(for: false, until: Self.never)
                group.cancelAll()
            }
            publication.expect(nil)
        }
    }
}

/// When a schedule that depends on motion begins to store frames.
struct MotionTrigger: Sendable {
    let watch: MotionWatch
    /// How long before the motion began the first frame may be; those are from the ring.
    let before: Duration
}
