// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

extension StillRequest {
    /// Reads the parameters of `GET …/still.jpg`, where `keep` is false unless it is asked for.
    ///
    /// Throws `invalid-request` that names the parameter.
    init(query: [(name: String, value: String)]) throws(Problem) {
        let parameters = try QueryReader(
            query,
            known: ["fresh", "maxAgeMs", "deadlineMs", "quality", "keep", "durability"]
        )
        self.init(keep: false)
        if let word = parameters["fresh"] {
            guard parameters["maxAgeMs"] == nil else {
                throw Problem.invalid(
                    field: "maxAgeMs",
                    "cannot be combined with fresh.",
                    remedy: "Give one of the two."
                )
            }
            guard let freshness = Freshness(word: word) else {
                throw Problem.invalid(
                    field: "fresh",
                    "is none of request, next and latest.",
                    remedy: "Use one of these, or maxAgeMs=N in its place."
                )
            }
            fresh = freshness
        }
        if let age = try parameters.milliseconds("maxAgeMs", in: Freshness.maxAgeMsRange) { fresh = .maxAge(age) }
        deadline = try parameters.milliseconds("deadlineMs", in: Self.deadlineMsRange) ?? deadline
        rendering.quality = try parameters.integer("quality", in: StillRendering.qualityRange)
        keep = try parameters.bool("keep") ?? keep
        durability = try parameters.word("durability", Durability.self) ?? durability
    }
}
