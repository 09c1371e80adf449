// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Batches of one connection to the daemon: a task each.
actor Worker {
    private let settings: WorkSettings
    private let client: ControlClient
    private var running: [String: Task<Void, Never>] = [:]
    /// Last batch of each job: the next waits for its end.
    private var last: [String: Task<Void, Never>] = [:]

    init(_ settings: WorkSettings, _ client: ControlClient) { (self.settings, self.client) = (settings, client) }

    /// Works until the daemon ends the reply, or throws; no batch remains.
    ///
    /// Calls `begin` when the daemon has accepted this worker.
    func work(_ connection: ControlConnection, _ begin: () -> Void) async throws {
        var hasBegun = false
        do {
            try await connection.orders { order in
                if !hasBegun {
                    // From now on no other worker of the daemon uses the cache.
                    try OutputError.naming("make folders in", settings.cache, try WorkFolder.prepare(settings.cache))
                    begin()
                }
                hasBegun = true
                follow(order)
            }
        } catch {
            await endAll()
            throw error
        }
        await endAll()
    }

    private func follow(_ order: WorkOrder) {
        switch order.action {
        case .idle: break
        case .stop:
            if let id = order.batch { running[id]?.cancel() }
        case .begin:
            guard let batch = Batch(order, settings, client) else { return }
            let earlier = last[batch.job]
            let task = Task {
                await earlier?.value
                await batch.run()
                finish(batch)
            }
            (running[batch.id], last[batch.job]) = (task, task)
        }
    }

    private func finish(_ batch: Batch) {
        if last[batch.job] == running.removeValue(forKey: batch.id) { last[batch.job] = nil }
    }

    private func endAll() async {
        for task in running.values { task.cancel() }
        for task in running.values { await task.value }
    }
}
