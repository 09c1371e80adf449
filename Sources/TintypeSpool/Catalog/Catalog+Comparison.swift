// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel

extension Catalog {
    /// Whether it was compared with all files once, so that no older picture is without a row than those that came since;
    /// a new one was not, nor one whose rebuilding was interrupted.
    ///
    /// It is `user_version`, which SQLite leaves to the application.
    func wasCompared() throws(Problem) -> Bool {
        try read { try Int.fetchOne($0, sql: "PRAGMA user_version") ?? 0 } > 0
    }

    /// Notes that it was.
    func noteComparison() throws(Problem) {
        try write(isDurable: false) { try $0.execute(sql: "PRAGMA user_version = 1") }
    }
}
