// SPDX-License-Identifier: Apache-2.0
internal import Hummingbird
internal import Logging

/// The facts that a route knows of its request besides the request itself.
struct ControlContext: RequestContext {
    /// Where a context comes from: nothing but a logger, so that the router runs without a connection too.
    struct Source: RequestContextSource {
        let logger: Logger
    }

    var coreContext: CoreRequestContextStorage

    init(source: Source) { coreContext = CoreRequestContextStorage(source: source) }

    /// The camera that the path names.
    func camera() throws -> String { try parameters.require("camera") }
}
