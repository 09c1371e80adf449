// SPDX-License-Identifier: Apache-2.0
internal import ServiceLifecycle
internal import TintypeSpool

/// Lets every spool open itself again after a failure of its disk.
struct SpoolsService: Service {
    let spools: Spools

    /// Runs until graceful shutdown or cancellation.
    func run() async {
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                for spool in spools.all { group.addTask { await spool.run() } }
            }
        }
    }
}
