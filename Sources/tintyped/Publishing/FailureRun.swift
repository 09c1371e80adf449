// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import TintypeModel

/// Logs a failure that repeats once: the first at warning, the rest at debug, and one line when it is over.
struct FailureRun {
    private let camera: String
    private let logger: Logger
    private var code: ProblemCode?
    /// Failures since a frame was published last, of whatever code.
    private var count = 0

    /// A run for the frames of `camera` in which nothing has failed yet.
    init(camera: String, logger: Logger) {
        self.camera = camera
        self.logger = logger
    }

    /// A frame could not be published; a problem of another code begins a new run.
    mutating func failed(_ problem: Problem) {
        let isFirst = code != problem.code
        count += 1
        code = problem.code
        logger.log(
            level: isFirst ? .warning : .debug,
            "no frame published: \(problem)",
            metadata: ["camera": "\(camera)", "code": "\(problem.code.rawValue)"]
        )
    }

    /// A frame was published.
    mutating func succeeded() {
        guard code != nil else { return }
        logger.info("frames are published again", metadata: ["camera": "\(camera)", "missed": "\(count)"])
        code = nil
        count = 0
    }
}
