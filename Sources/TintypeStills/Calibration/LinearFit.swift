// SPDX-License-Identifier: Apache-2.0

/// Least squares by the normal equations, for a few unknowns.
enum LinearFit {
    /// The unknowns with which each of `rows` gives its value best; nil where they do not follow from them.
    ///
    /// An unknown with which no row has to do is 0.
    static func solve(_ rows: [[Double]], _ values: [Double]) -> [Double]? {
        let count = rows.first?.count ?? 0
        var matrix = (0..<count).map { row in
            (0..<count).map { column in rows.reduce(0) { $0 + $1[row] * $1[column] } }
                + [zip(rows, values).reduce(0) { $0 + $1.0[row] * $1.1 }]
        }
        for index in 0..<count where matrix[index][index] == 0 { matrix[index][index] = 1 }
        // Gauss and Jordan; the matrix is positive definite, so that the largest pivot is no matter.
        for pivot in 0..<count {
            guard matrix[pivot][pivot] > 1e-9 else { return nil }
            matrix[pivot] = matrix[pivot].map { $0 / matrix[pivot][pivot] }
            for row in 0..<count where row != pivot {
                let factor = matrix[row][pivot]
                matrix[row] = zip(matrix[row], matrix[pivot]).map { $0 - factor * $1 }
            }
        }
        return matrix.map { $0[count] }
    }
}
