// SPDX-License-Identifier: Apache-2.0

extension CameraMatch {
    /// Finds the only present camera that matches; throws `device-lost` if none does, and `camera-ambiguous` with a
    /// distinguishing condition for each if several do.
    package func resolve(among identities: [CameraIdentity]) throws(Problem) -> CameraIdentity {
        let candidates = identities.filter(matches)
        guard let first = candidates.first else { throw absence(among: identities) }
        guard candidates.count == 1 else { throw ambiguity(of: candidates) }
        return first
    }

    private func absence(among identities: [CameraIdentity]) -> Problem {
        // Reports a single condition that prevents a match: a typing error, or a camera on another port.
        let culprits = conditions.keys.compactMap { key -> (key: Key, identity: CameraIdentity)? in
            var others = self
            others.conditions[key] = nil
            guard !others.conditions.isEmpty else { return nil }
            return identities.first(where: others.matches).map { (key, $0) }
        }
        let near = culprits.min { $0.key.rawValue < $1.key.rawValue }.map { near in
            " \(near.identity.path) (\(near.identity.card)) meets all of it but \(near.key.rawValue)."
        }
        return Problem(
            .deviceLost,
            "No camera that is there matches \(self).\(near ?? "")",
            remedy: "Plug it in; it is then opened automatically. Or correct the configuration: “tintype cameras” "
                + "prints a line for each camera that is there.",
            retryAfter: .seconds(1)
        )
    }

    private func ambiguity(of candidates: [CameraIdentity]) -> Problem {
        let names = candidates.map { "\($0.path) (\($0.card))" }
        let hints = candidates.map { "\($0.path) has \(Self.distinguishing($0, from: candidates))" }
        let detail = "\(candidates.count) cameras match \(self): \(names.joined(separator: ", "))."
        let remedy = "Add a condition that only one of them meets: \(hints.joined(separator: ", "))."
        return Problem(.cameraAmbiguous, detail, remedy: remedy)
    }

    /// Conditions for a configuration, most stable first.
    ///
    /// Device properties come first, then properties of the port, then what may change at the next boot. A by-id link
    /// that udev could assign to either of two identical cameras matches both, and is never chosen.
    private static let stable: [[Key]] = [
        [.serial, .usb], [.byID], [.usb], [.usb, .port], [.byPath], [.driver, .busInfo], [.driver, .busInfo, .card],
        [.driver, .card], [.path],
    ]

    /// Conditions that distinguish similar cameras, single keys first.
    private static let distinguishing: [[Key]] = [
        [.serial], [.usb], [.port], [.byPath], [.byID], [.busInfo], [.card], [.driver], [.driver, .busInfo],
        [.busInfo, .card], [.path],
    ]

    /// Most stable match for `identity` that matches no other of `identities`; nil for a camera without a node.
    package static func best(for identity: CameraIdentity, among identities: [CameraIdentity]) -> CameraMatch? {
        first(of: stable, for: identity, among: identities)
    }

    /// Conditions that only `identity` of `candidates` meets; its path if no other.
    static func distinguishing(_ identity: CameraIdentity, from candidates: [CameraIdentity]) -> CameraMatch {
        first(of: distinguishing, for: identity, among: candidates) ?? CameraMatch([.path: identity.path])
    }

    private static func first(
        of choices: [[Key]],
        for identity: CameraIdentity,
        among identities: [CameraIdentity]
    ) -> CameraMatch? {
        guard CameraMatch.Key.path.accepts(identity.path) else { return nil }
        let others = identities.filter { $0.path != identity.path }
        for keys in choices {
            if let match = match(on: keys, identity), !others.contains(where: match.matches) { return match }
            // One of several links may be unique.
            guard keys.count == 1, let key = keys.first else { continue }
            for value in key.values(in: identity).dropFirst() {
                let match = CameraMatch([key: value])
                if !others.contains(where: match.matches) { return match }
            }
        }
        return nil
    }

    /// Conditions for `keys` that `identity` meets; nil if it lacks one.
    private static func match(on keys: [Key], _ identity: CameraIdentity) -> CameraMatch? {
        var conditions: [Key: String] = [:]
        for key in keys {
            guard let value = key.values(in: identity).first, key.accepts(value) else { return nil }
            conditions[key] = value
        }
        return CameraMatch(conditions)
    }
}
