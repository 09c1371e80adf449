// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

extension JPEGInspection.Depth {
    /// How closely a picture has to be looked at to be as whole as that.
    package init(for integrity: Integrity) { self = integrity == .strict ? .entropy : .segments }
}

extension JPEGInspection {
    /// How whole the picture is: the one judgment of a still that is taken and of a file that is taken into a spool.
    ///
    /// Strict refuses whatever is wrong, tolerant all but what `isTolerated`, raw nothing.
    ///
    /// - Parameters:
    ///   - integrity: how whole it has to be; it was looked at to that depth.
    ///   - delivered: what the driver says is wrong with it.
    ///   - isTolerated: whether ``quirk`` is the one thing that pictures of its camera always have wrong.
    /// - Returns: how whole it is.
    /// - Throws: what is wrong with a picture that is not good enough; ``ImagingError/refused(_:)`` where one that has to be
    ///   decoded for that takes too much memory.
    package func verdict(
        for integrity: Integrity,
        delivered: [ImagingError] = [],
        isTolerated: Bool
    ) throws(ImagingError) -> Verdict {
        let errors = delivered + faults
        guard integrity != .raw else {
            return errors.allSatisfy { $0.fault == nil } ? .sound : isTolerated ? .tolerated : .damaged
        }
        if let error = errors.first, integrity == .strict || !isTolerated { throw error }
        if let refusal { throw .refused(refusal) }
        guard whole != nil else { throw .truncated }
        return isTolerated ? .tolerated : integrity == .strict ? .intact : .sound
    }
}
