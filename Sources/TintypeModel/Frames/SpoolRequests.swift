// SPDX-License-Identifier: Apache-2.0

/// Options of a comparison of folder and catalog: body of `POST /v1/spool/verify`.
package struct VerificationRequest: Hashable, WireObject, FieldsReadable, Encodable {
    package var deep: Bool
    package var spool: String?

    package init(deep: Bool = false, spool: String? = nil) { (self.deep, self.spool) = (deep, spool) }

    package static let summary = "A request to compare folder and catalog."
    package static let fields: [Field] = [
        Field("deep", \.deep, "Whether every picture is read and compared with its checksum.", ["default": false]),
        Field("spool", \.spool, "The name of the spool; missing for all."),
    ]

    package enum CodingKeys: String, CodingKey, CaseIterable { case deep, spool }

    package init(in fields: FieldReader<CodingKeys>) throws(Problem) {
        self.init(deep: try fields.value(.deep, Bool.self) ?? false, spool: try fields.value(.spool, String.self))
    }
}

/// Options of a retention run: body of `POST /v1/spool/retention`.
package struct RetentionRequest: Hashable, WireObject, FieldsReadable, Encodable {
    package var dryRun: Bool
    package var confirm: Bool
    package var spool: String?

    package init(dryRun: Bool = false, confirm: Bool = false, spool: String? = nil) {
        (self.dryRun, self.confirm, self.spool) = (dryRun, confirm, spool)
    }

    package static let summary = "A request to apply the retention rules."
    package static let fields: [Field] = [
        Field("dryRun", \.dryRun, "Only list the frames that would be deleted, and why.", ["default": false]),
        Field(
            "confirm",
            \.confirm,
            "Confirms the clock after a large step, so that age decides again; with dryRun, only lists frames.",
            ["default": false]
        ),
        Field("spool", \.spool, "The name of the spool; missing for all."),
    ]

    package enum CodingKeys: String, CodingKey, CaseIterable { case dryRun, confirm, spool }

    package init(in fields: FieldReader<CodingKeys>) throws(Problem) {
        dryRun = try fields.value(.dryRun, Bool.self) ?? false
        confirm = try fields.value(.confirm, Bool.self) ?? false
        spool = try fields.value(.spool, String.self)
    }
}
