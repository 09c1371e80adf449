// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

extension StillRequest {
    /// Throws `configuration-unsupported` for what the contract has and this version cannot do.
    ///
    /// A picture that is not as was asked for would be worse than none.
    func refuseWhatIsNotThereYet() throws(Problem) {
        let field: String? =
            if settle != .auto {
                "settle"
            } else {
                nil
            }
        guard let field else { return }
        throw Problem(
            .configurationUnsupported,
            "This version of tintyped cannot do what the field \(field) asks for.",
            remedy: "Leave it out; “Limits” in the README says what is not there yet.",
            field: field
        )
    }
}
