// SPDX-License-Identifier: Apache-2.0

/// Options of a comparison of folder and catalog: body of `POST /v1/spool/verify`.
package struct VerificationRequest: Hashable, WireObject, WireRequest {
    package var deep = false
    package var spool: String?

    package init() {}

    package init(deep: Bool = false, spool: String? = nil) { (self.deep, self.spool) = (deep, spool) }

    package static let summary = "A request to compare folder and catalog."
    package static let fields: [Field] = [
        Field("deep", \.deep, "Whether every picture is read and compared with its checksum.", ["default": false]),
        Field("spool", \.spool, "The name of the spool; missing for all."),
    ]
}

/// Options of a retention run: body of `POST /v1/spool/retention`.
package struct RetentionRequest: Hashable, WireObject, WireRequest {
    package var dryRun = false
    package var confirm = false
    package var spool: String?

    package init() {}

    package init(dryRun: Bool = false, confirm: Bool = false, spool: String? = nil) {
        (self.dryRun, self.confirm, self.spool) = (dryRun, confirm, spool)
    }

    package static let summary = "A request to apply the retention rules."
    package static let fields: [Field] = [
        Field("dryRun", \.dryRun, "Only list the frames that would be deleted, and why.", ["default": false]),
        Field("confirm", \.confirm, "Confirms the clock after a large step; age decides again.", ["default": false]),
        Field("spool", \.spool, "The name of the spool; missing for all."),
    ]
}
