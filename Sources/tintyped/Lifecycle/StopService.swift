// SPDX-License-Identifier: Apache-2.0
internal import ServiceLifecycle

/// Ends when a stop is asked for, and with it the group of services that it is in.
struct StopService: Service {
    let exitGuard: ExitGuard

    func run() async {
        for await _ in exitGuard.stopRequests.cancelOnGracefulShutdown() { return }
    }
}
