// SPDX-License-Identifier: Apache-2.0
internal import ServiceLifecycle
internal import TintypeCapture
internal import TintypeModel

/// Runs the publisher of a schedule only during motion.
///
/// Slots of a schedule without alignment are counted from the start of the motion.
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

struct MotionTrigger: Sendable {
    let watch: MotionWatch
    /// Time before the start of the motion from which frames of the ring are stored.
    let before: Duration
}
