// SPDX-License-Identifier: Apache-2.0

/// The body of `POST /v1/cameras/{camera}/release`: whose lease is to end.
package struct ReleaseRequest: Hashable, Sendable {
    package var owner: String?

    /// A request to end the lease of `owner`, or all.
    package init(owner: String? = nil) { self.owner = owner }
}

extension ReleaseRequest: FieldReadable, Encodable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case owner
    }

    /// Reads `{"owner": …}` or `{}`.
    ///
    /// Throws ``Problem`` with code `invalid-request` that names the field.
    package init?(field value: FieldValue, at path: String) throws(Problem) {
        guard let fields = try FieldReader<CodingKeys>(value, at: path) else { return nil }
        owner = try fields.value(.owner, String.self)
        if let owner, !HoldRequest.isValid(owner: owner) { throw .invalidOwner }
    }

    /// Writes the owner, if there is one.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(owner, forKey: .owner)
    }
}

extension ReleaseRequest: WireObject {
    package static let summary = "The lease that ends."

    package static let fields: [Field] = [
        Field(
            "owner",
            \.owner,
            "The owner of the lease; missing to end all leases.",
            ["minLength": 1, "maxLength": 64]
        )
    ]
}
