// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

extension FrameFilter {
    /// The filter of no frame.
    static let nothing = FrameFilter.any([])

    /// The condition that remains for the frames of one class: ``everything`` where all of them fit, ``nothing`` where
    /// none does.
    func given(_ frames: FrameClass) -> FrameFilter {
        switch self {
        case .all(let filters):
            var rest: [FrameFilter] = []
            for filter in filters {
                let filter = filter.given(frames)
                if filter == .nothing { return .nothing }
                if filter != .everything { rest.append(filter) }
            }
            return rest.count == 1 ? rest[0] : .all(rest)
        case .any(let filters):
            var rest: [FrameFilter] = []
            for filter in filters {
                let filter = filter.given(frames)
                if filter == .everything { return .everything }
                if filter != .nothing { rest.append(filter) }
            }
            return rest.count == 1 ? rest[0] : .any(rest)
        case .not(let filter):
            return switch filter.given(frames) {
            case .everything: .nothing
            case .nothing: .everything
            case let rest: .not(rest)
            }
        case .is(let condition):
            return frames.answer(condition).map { $0 ? .everything : .nothing } ?? self
        }
    }

    /// Lists of tags, or patterns of such, of each of which every frame that fits has at least one; none where frames
    /// without any tag can fit.
    var requiredTags: [[String]] {
        switch self {
        case .is(.tag(let tag)): return [[tag]]
        case .all(let filters): return filters.flatMap(\.requiredTags)
        case .any(let filters):
            let lists = filters.compactMap(\.requiredTags.first)
            return !filters.isEmpty && lists.count == filters.count ? [lists.flatMap(\.self)] : []
        case .not, .is: return []
        }
    }

    /// Whether it asks for nothing but times.
    var isOfTimes: Bool {
        switch self {
        case .all(let filters), .any(let filters): filters.allSatisfy(\.isOfTimes)
        case .not(let filter): filter.isOfTimes
        case .is(.from), .is(.to), .is(.since): true
        case .is: false
        }
    }
}
