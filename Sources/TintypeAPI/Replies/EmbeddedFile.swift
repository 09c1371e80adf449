// SPDX-License-Identifier: Apache-2.0
internal import CPage
internal import NIOCore

/// Web page files embedded in the executable (`CPage`).
enum EmbeddedFile {
    static var index: ByteBuffer { unsafe bytes(of: cpage_index) }

    static func named(_ name: String) -> ByteBuffer? {
        for place in 0..<cpage_file_count where unsafe String(cString: cpage_files[place].name) == name {
            return unsafe bytes(of: cpage_files[place])
        }
        return nil
    }

    private static func bytes(of file: cpage_file) -> ByteBuffer {
        unsafe ByteBuffer(bytes: UnsafeRawBufferPointer(start: file.bytes, count: file.size))
    }
}
