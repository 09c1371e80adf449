// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

struct StringFolderTests {
    @Test(arguments: [
        ("/run/tintype/tintyped.sock", "/run/tintype"), ("/spool", "/"), ("/", "/"), ("yard/1.jpg", "yard"),
        ("1.jpg", "."), ("", "."),
    ])
    func `enclosingFolder is the directory of a path`(_ path: String, _ folder: String) {
        #expect(path.enclosingFolder == folder)
    }
}
