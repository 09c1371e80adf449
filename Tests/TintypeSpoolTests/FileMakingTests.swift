// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Testing
internal import TintypeSpool

@Suite struct FileMakingTests {
    private let folder: SpoolFolder

    init() throws {
        folder = SpoolFolder()
        try folder.makeFolder()
    }

    @Test(arguments: [false, true])
    func `a failed makeFile leaves no file behind`(_ isFlushed: Bool) throws {
        let path = "\(folder.path)/one"
        let calls = isFlushed ? ["create", "write", "flush", "close"] : ["create", "write", "close"]
        let files = FaultyFiles()
        for index in calls.indices {
            files.arm(.error(ENOSPC), at: index)
            let error = #expect(throws: FileError.self) {
                try files.makeFile(path, [1, 2, 3, 4], mode: 0o640, isFlushed: isFlushed)
            }
            #expect(error?.code == ENOSPC && error?.path == path)
            #expect(!FileManager.default.fileExists(atPath: path), "\(files.calls)")
        }
        files.mend()
        try files.makeFile(path, [1, 2, 3, 4], mode: 0o640, isFlushed: isFlushed)
        #expect(files.calls == calls)
        #expect(try files.read(path, atMost: 4) == [1, 2, 3, 4])
    }

    @Test func `makeFile does not overwrite an existing file`() throws {
        let path = "\(folder.path)/one"
        let files = SystemFiles()
        try files.makeFile(path, [1], mode: 0o640)
        let error = #expect(throws: FileError.self) { try files.makeFile(path, [2], mode: 0o640) }
        #expect(error?.code == EEXIST)
        #expect(try files.read(path, atMost: 4) == [1])
    }
}
