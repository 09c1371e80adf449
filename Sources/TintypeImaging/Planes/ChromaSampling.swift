// SPDX-License-Identifier: Apache-2.0
internal import CTurboJPEG

/// Chroma subsampling (`TJSAMP`).
package enum ChromaSampling: Hashable, Sendable, CaseIterable {
    case grey
    /// 4:4:4.
    case full
    /// 4:2:2.
    case half
    /// 4:2:0.
    case quarter
    /// 4:4:0.
    case halfRows
    /// 4:1:1.
    case fourth

    /// Nil if libturbojpeg does not support one chroma sample per `columns` by `rows` luma samples.
    init?(columns: Int, rows: Int) {
        let found = Self.allCases.first { $0 != .grey && $0.columns == columns && $0.rows == rows }
        guard let found else { return nil }
        self = found
    }

    /// `TJSAMP`.
    var code: Int32 { Int32(facts.name.rawValue) }

    /// Luma samples per chroma sample; 1 for ``grey``.
    package var columns: Int { facts.columns }
    package var rows: Int { facts.rows }

    private var facts: (name: TJSAMP, columns: Int, rows: Int) {
        switch self {
        case .grey: (TJSAMP_GRAY, 1, 1)
        case .full: (TJSAMP_444, 1, 1)
        case .half: (TJSAMP_422, 2, 1)
        case .quarter: (TJSAMP_420, 2, 2)
        case .halfRows: (TJSAMP_440, 1, 2)
        case .fourth: (TJSAMP_411, 4, 1)
        }
    }

    /// 4:2:0 instead of 4:1:1, which would lose most colour when scaled down.
    package var drawn: ChromaSampling { self == .fourth ? .quarter : self }

    /// Of a picture turned by 90 degrees: 4:2:2 and 4:4:0 are exchanged.
    ///
    /// 4:1:1 becomes 4:2:0, as libturbojpeg cannot read one chroma row for four luma rows.
    package var turned: ChromaSampling {
        switch self {
        case .grey, .full, .quarter: self
        case .half: .halfRows
        case .halfRows: .half
        case .fourth: .quarter
        }
    }
}
