// SPDX-License-Identifier: Apache-2.0

extension CameraMatch {
    /// The one camera of those that are there that this match means.
    ///
    /// Throws `device-lost` where there is none. Throws `camera-ambiguous` where there are several, and lists them with
    /// what tells each from the others.
    package func resolve(among identities: [CameraIdentity]) throws(Problem) -> CameraIdentity {
        let candidates = identities.filter(matches)
        guard let first = candidates.first else { throw absence(among: identities) }
        guard candidates.count == 1 else { throw ambiguity(of: candidates) }
        return first
    }

    private func absence(among identities: [CameraIdentity]) -> Problem {
        // A condition that alone stands in the way is worth a word: a typing error, or a camera in another port.
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
        let hints = candidates.map { candidate in
            "\(candidate.path) has \(Self.telling(candidate, from: candidates))"
        }
        return Problem(
            .cameraAmbiguous,
            "\(candidates.count) cameras match \(self): \(names.joined(separator: ", ")).",
            remedy: "Add a condition that only one of them meets: \(hints.joined(separator: ", "))."
        )
    }
}

extension CameraMatch {
    /// What a configuration would best say of a camera: the first of these that it has and nothing else there matches.
    ///
    /// From what stays with the device wherever it is plugged in, by what stays with the port, to what may change at the
    /// next start. A link that udev could give to only one of two equal cameras matches both, and so is none of them.
    private static let stable: [[Key]] = [
        [.serial, .usb], [.byID], [.usb], [.usb, .port], [.byPath], [.driver, .busInfo], [.driver, .busInfo, .card],
        [.driver, .card], [.path],
    ]

    /// What tells equal cameras apart, each by itself first.
    private static let telling: [[Key]] = [
        [.serial], [.usb], [.port], [.byPath], [.byID], [.busInfo], [.card], [.driver], [.driver, .busInfo],
        [.busInfo, .card], [.path],
    ]

    /// The most stable match for `identity` that means no other of `identities`; nil for a camera without a node.
    package static func best(for identity: CameraIdentity, among identities: [CameraIdentity]) -> CameraMatch? {
        first(of: stable, for: identity, among: identities)
    }

    /// The conditions that only `identity` meets of `candidates`; its path if there is nothing better.
    static func telling(_ identity: CameraIdentity, from candidates: [CameraIdentity]) -> CameraMatch {
        first(of: telling, for: identity, among: candidates) ?? CameraMatch([.path: identity.path])
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
            // Of several links one may be its own.
            guard keys.count == 1, let key = keys.first else { continue }
            for value in key.values(in: identity).dropFirst() {
                let match = CameraMatch([key: value])
                if !others.contains(where: match.matches) { return match }
            }
        }
        return nil
    }

    /// The conditions of `keys` that `identity` meets; nil where it lacks one.
    private static func match(on keys: [Key], _ identity: CameraIdentity) -> CameraMatch? {
        var conditions: [Key: String] = [:]
        for key in keys {
            guard let value = key.values(in: identity).first, key.accepts(value) else { return nil }
            conditions[key] = value
        }
        return CameraMatch(conditions)
    }
}
