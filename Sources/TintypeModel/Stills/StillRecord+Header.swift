// SPDX-License-Identifier: Apache-2.0

extension StillRecord {
    /// The fields in the header of a picture that carry its record; in a name case does not matter (RFC 9110, 5.1).
    ///
    /// All of a record but ``StillRecord/bytes``, which is `Content-Length`. Times are as in JSON, numbers of
    /// milliseconds have at most three decimals, a list has a comma between two members (RFC 9110, 5.6.1), and a map is a
    /// list of `name=number`, as in `corrupt=1, stale=2`. What is nil in the record has no field.
    package enum HeaderField: String, Hashable, Sendable, CaseIterable {
        /// ``StillRecord/id``.
        case id = "Tintype-Id"
        /// ``StillRecord/camera``.
        case camera = "Tintype-Camera"
        /// ``StillRecord/path``.
        case path = "Tintype-Path"
        /// ``StillRecord/stored-swift.property``.
        case stored = "Tintype-Stored"
        /// ``StillRecord/width``.
        case width = "Tintype-Width"
        /// ``StillRecord/height``.
        case height = "Tintype-Height"
        /// ``StillRecord/sequence``.
        case sequence = "Tintype-Sequence"
        /// ``StillRecord/capturedAt``.
        case capturedAt = "Tintype-Captured-At"
        /// ``StillRecord/capturedMonotonicNs``.
        case capturedMonotonicNs = "Tintype-Captured-Monotonic-Ns"
        /// ``StillRecord/timestampSource``.
        case timestampSource = "Tintype-Timestamp-Source"
        /// ``StillRecord/uncertaintyMs``.
        case uncertaintyMs = "Tintype-Uncertainty-Ms"
        /// ``StillRecord/leadMs``.
        case leadMs = "Tintype-Lead-Ms"
        /// ``StillRecord/ageMs``.
        case ageMs = "Tintype-Age-Ms"
        /// ``StillRecord/waitedMs``.
        case waitedMs = "Tintype-Waited-Ms"
        /// ``StillRecord/skipped``.
        case skipped = "Tintype-Skipped"
        /// ``StillRecord/settled``: `true` or `false`.
        case settled = "Tintype-Settled"
        /// ``StillRecord/verdict``.
        case verdict = "Tintype-Verdict"
        /// ``StillRecord/faults``.
        case faults = "Tintype-Faults"
        /// ``StillRecord/appearance``.
        case appearance = "Tintype-Appearance"
        /// ``StillRecord/tags``.
        case tags = "Tintype-Tags"
        /// ``StillRecord/average``.
        case average = "Tintype-Average"
        /// ``StillRecord/gapMs``.
        case gapMs = "Tintype-Gap-Ms"
        /// ``StillRecord/sha256``.
        case sha256 = "Tintype-Sha256"
        /// ``StillRecord/phasesMs``.
        case phasesMs = "Tintype-Phases-Ms"
    }

    /// What a field of the header says of this record; nil where it says nothing.
    package subscript(header field: HeaderField) -> String? {
        switch field {
        case .id: id.description
        case .camera: camera
        case .path: path
        case .stored: stored.rawValue
        case .width: "\(width)"
        case .height: "\(height)"
        case .sequence: "\(sequence)"
        case .capturedAt: capturedAt.description
        case .capturedMonotonicNs: capturedMonotonicNs.map { "\($0)" }
        case .timestampSource: timestampSource.rawValue
        case .uncertaintyMs: uncertaintyMs?.headerText
        case .leadMs: leadMs?.headerText
        case .ageMs: ageMs?.headerText
        case .waitedMs: waitedMs?.headerText
        case .skipped: Self.list(skipped?.map { "\($0.key.rawValue)=\($0.value)" }.sorted())
        case .settled: settled.map { "\($0)" }
        case .verdict: verdict?.rawValue
        case .faults: Self.list(faults?.map(\.rawValue))
        case .appearance: Self.list(appearance?.map(\.rawValue))
        case .tags: Self.list(tags)
        case .average: average.map { "\($0)" }
        case .gapMs: gapMs?.headerText
        case .sha256: sha256
        case .phasesMs:
            phasesMs.map { phases in
                Self.list(StillPhases.members.map { "\($0.name)=\(phases[keyPath: $0.path].headerText)" }) ?? ""
            }
        }
    }

    /// A list without members has no field (RFC 9110, 5.6.1).
    private static func list(_ members: [String]?) -> String? {
        guard let members, !members.isEmpty else { return nil }
        return members.joined(separator: ", ")
    }
}

extension StillPhases {
    /// The phases by their names.
    static var members: [(name: String, path: WritableKeyPath<StillPhases, Milliseconds>)] {
        [("open", \.open), ("settle", \.settle), ("wait", \.wait), ("encode", \.encode), ("store", \.store)]
    }
}

extension Milliseconds {
    /// A number with at most three decimals, as in JSON.
    fileprivate var headerText: String {
        let value = (duration.millisecondCount * 1000).rounded() / 1000
        return value == value.rounded() ? "\(Int64(value))" : "\(value)"
    }
}
