// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel
internal import TintypeSpool

/// Makes a spool that needs all of what a start does: one picture with its row, one without, one that is cut short, a
/// row without a file, a leftover, and a `latest.jpg` that leads nowhere.
func fillForReconcile(_ folder: SpoolFolder) async throws {
    let spool = try await folder.open()
    for number in 0...1 { _ = try await spool.store(still(number), durability: .full, until: soon) }
    await spool.close(until: soon)
    try folder.remove("door/2026/11/21/143013.345678Z-000001235.jpg")
    try folder.write(picture, to: "yard/2025/01/02/030405.000006Z-000000007.jpg")
    try folder.write([UInt8](picture.dropLast(20)), to: "yard/2025/01/02/030406.000006Z-000000008.jpg")
    try folder.write([1, 2, 3], to: ".incoming/abc.jpg")
}
