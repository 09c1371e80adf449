// SPDX-License-Identifier: Apache-2.0

/// The doctor's findings in all of its rounds; its JSON is the output of `--json`.
struct DoctorReport: Encodable {
    /// A finding, and in how many rounds it was there.
    struct Entry: Encodable {
        /// The camera; nil where it is not about one.
        let camera: String?
        /// The finding; evidence and words are those of the last time.
        fileprivate(set) var finding: Finding
        /// Rounds in which it was found.
        fileprivate(set) var occurred: Int

        private enum CodingKeys: String, CodingKey {
            case camera, code, detail, evidence, remedy, occurred
        }

        /// Writes all of it as one object.
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encodeIfPresent(camera, forKey: .camera)
            try container.encode(finding.code, forKey: .code)
            try container.encode(finding.detail, forKey: .detail)
            try container.encode(finding.evidence, forKey: .evidence)
            try container.encode(finding.remedy, forKey: .remedy)
            try container.encode(occurred, forKey: .occurred)
        }
    }

    private enum CodingKeys: String, CodingKey {
        case healthy, rounds, findings, daemon, cameras
    }

    /// Rounds so far.
    private(set) var rounds = 0
    /// All findings of all rounds, in the order in which they first came up.
    private(set) var findings: [Entry] = []
    /// The observations of the last round.
    private(set) var last: DoctorEvidence?

    /// Whether nothing was found in any round.
    var isHealthy: Bool { findings.isEmpty }

    /// Adds one round.
    mutating func add(_ evidence: DoctorEvidence) {
        rounds += 1
        last = evidence
        for entry in Diagnosis.entries(of: evidence) {
            if let index = findings.firstIndex(where: {
                $0.camera == entry.camera && $0.finding.code == entry.finding.code
            }) {
                findings[index].finding = entry.finding
                findings[index].occurred += 1
            } else {
                findings.append(Entry(camera: entry.camera, finding: entry.finding, occurred: 1))
            }
        }
    }

    /// Writes verdict, findings and the evidence of the last round.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(isHealthy, forKey: .healthy)
        try container.encode(rounds, forKey: .rounds)
        try container.encode(findings, forKey: .findings)
        try container.encodeIfPresent(last?.daemon, forKey: .daemon)
        try container.encode(last?.cameras ?? [], forKey: .cameras)
    }
}
