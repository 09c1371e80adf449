// SPDX-License-Identifier: Apache-2.0
internal import CTurboJPEG

/// How many luma samples a chroma sample of a picture stands for (`TJSAMP`).
package enum ChromaSampling: Hashable, Sendable, CaseIterable {
    /// Luma only.
    case grey
    /// 4:4:4: one.
    case full
    /// 4:2:2: two in a row.
    case half
    /// 4:2:0: two in a row, two rows.
    case quarter
    /// 4:4:0: two rows.
    case halfRows
    /// 4:1:1: four in a row.
    case fourth

    /// The sampling with one chroma sample for `columns` by `rows` of luma; nil for one that libturbojpeg has no name
    /// for.
    init?(columns: Int, rows: Int) {
        let all = Self.allCases.filter { $0 != .grey }
        guard let sampling = all.first(where: { $0.columns == columns && $0.rows == rows }) else { return nil }
        self = sampling
    }

    /// libturbojpeg's name (`TJSAMP`).
    var code: Int32 {
        let name =
            switch self {
            case .grey: TJSAMP_GRAY
            case .full: TJSAMP_444
            case .half: TJSAMP_422
            case .quarter: TJSAMP_420
            case .halfRows: TJSAMP_440
            case .fourth: TJSAMP_411
            }
        return Int32(name.rawValue)
    }

    /// Columns of luma for one of chroma; 1 for ``grey``.
    package var columns: Int { factors.columns }

    /// Rows of luma for one of chroma; 1 for ``grey``.
    package var rows: Int { factors.rows }

    private var factors: (columns: Int, rows: Int) {
        switch self {
        case .grey, .full: (1, 1)
        case .half: (2, 1)
        case .quarter: (2, 2)
        case .halfRows: (1, 2)
        case .fourth: (4, 1)
        }
    }

    /// What a picture is compressed with after it was drawn: 4:2:0 for 4:1:1, which would keep the least colour of all
    /// where it is made smaller, and otherwise what it is.
    package var drawn: ChromaSampling { self == .fourth ? .quarter : self }

    /// What a picture turned by a quarter is compressed with; 4:2:2 and 4:4:0 change places.
    ///
    /// 4:1:1 would need four rows for a chroma sample, which libturbojpeg does not read again, and becomes 4:2:0.
    package var turned: ChromaSampling {
        switch self {
        case .grey, .full, .quarter: self
        case .half: .halfRows
        case .halfRows: .half
        case .fourth: .quarter
        }
    }
}
