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
