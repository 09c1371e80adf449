// SPDX-License-Identifier: Apache-2.0
internal import Hummingbird

/// Carries every error of a route, the router's own included, past the router, which would answer some of them in a form
/// of its own; ``ControlResponder`` answers them all in one.
struct ThrownErrors: RouterMiddleware {
    typealias Context = ControlContext

    /// An error that the router does not know how to answer.
    struct Thrown: Error {
        let error: any Error
    }

    @concurrent func handle(
        _ request: Request,
        context: ControlContext,
        next: @concurrent (Request, ControlContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            throw Thrown(error: error)
        }
    }
}
