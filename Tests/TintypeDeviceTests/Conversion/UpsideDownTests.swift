// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestSupport
import Testing
import TintypeDevice
import TintypeModel

/// Cameras that are built in upside down: libv4lconvert finds them in its table, by the computer and the USB device.
struct UpsideDownTests {
    /// A frame of 16x8 in which every pixel has another luma, and how it looks upside down.
    private static let upright = (0..<16 * 8).map { UInt8($0) }

    private static func isTurned(_ profile: ConverterProfile) throws -> Bool {
        do {
            let picture = try Converting.picture(upright, Converting.layout(.grey, 16, 8), profile: profile)
            guard Array(picture.bytes.prefix(16 * 8)) == upright.reversed() else { exit(3) }
            return true
        } catch is Converting.NothingToDo {
            return false
        }
    }

    /// A sysfs of a laptop whose camera is /dev/null.
    private static func makeSysfs(board: String) throws {
        let root = NSTemporaryDirectory() + "/tintype-\(UUID().uuidString)"
        // The number of /dev/null is 1:3.
        let files = [
            "class/video4linux/video0/dev": "81:3", "class/video4linux/video0/speed": "480",
            "class/video4linux/video0/device/modalias": "usb:v04F2pB012d0100", "class/dmi/id/board_name": board,
            "class/dmi/id/board_vendor": "ASUSTeK Computer Inc.        ", "class/dmi/id/sys_vendor": "x",
            "class/dmi/id/product_name": "x", "class/dmi/id/product_version": "x", "class/dmi/id/board_version": "x",
        ]
        for (name, text) in files {
            let url = URL(filePath: "\(root)/sys/\(name)")
            let folder = url.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data((text + "\n").utf8).write(to: url)
        }
        unsafe setenv("LIBV4LCONTROL_SYSFS_PREFIX", root, 1)
        atexit {
            if let root = unsafe getenv("LIBV4LCONTROL_SYSFS_PREFIX") {
                try? FileManager.default.removeItem(atPath: unsafe String(cString: root))
            }
        }
    }

    // In processes of their own: the environment belongs to all of a process.
    @Test func `a camera of the table is turned, by its node and nothing but its node`() async {
        await #expect(processExitsWith: .success) {
            try Self.makeSysfs(board: "F3Sv")
            guard try Self.isTurned(Converting.profile(path: "/dev/null")) else { exit(4) }
            guard try !Self.isTurned(Converting.profile(path: "/dev/zero")) else { exit(5) }
            guard try !Self.isTurned(Converting.profile()) else { exit(6) }
        }
    }

    @Test func `the same camera in a computer that is not in the table is left as it is`() async {
        await #expect(processExitsWith: .success) {
            try Self.makeSysfs(board: "Z99")
            guard try !Self.isTurned(Converting.profile(path: "/dev/null")) else { exit(4) }
        }
    }

    @Test func `a camera of the table that can turn its picture itself is left to its driver`() async {
        await #expect(processExitsWith: .success) {
            try Self.makeSysfs(board: "F3Sv")
            // V4L2_CID_HFLIP and V4L2_CID_VFLIP.
            let profile = Converting.profile(controls: [0x0098_0914, 0x0098_0915], path: "/dev/null")
            guard try !Self.isTurned(profile) else { exit(4) }
        }
    }

    @Test func `no name is left of the memory that libv4lconvert would share with other programs`() async throws {
        // A program that was killed may have left one.
        let before = Self.sharedMemory
        #expect(try Self.isTurned(Converting.profile(inputStatus: 0x30)))
        // What tests beside this one make for a moment is gone soon.
        let new = Self.sharedMemory.subtracting(before)
        try await eventually("the end of other tests' shared memory") { new.isDisjoint(with: Self.sharedMemory) }
    }

    /// The names of the memory that libv4lconvert shares, of all programs of this kind.
    private static var sharedMemory: Set<String> {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/dev/shm")) ?? []
        return Set(names.filter { $0.hasPrefix("libv4l-") && $0.contains(":tintype:") })
    }

    @Test func `a sensor that the driver says is upside down is turned`() throws {
        // V4L2_IN_ST_HFLIP and V4L2_IN_ST_VFLIP.
        #expect(try Self.isTurned(Converting.profile(inputStatus: 0x30)))
        #expect(try !Self.isTurned(Converting.profile(inputStatus: 0)))
    }

    /// Formats that we read ourselves and that libv4lconvert does not know.
    private static let unknown: Set<FourCC> = [
        .yuv422p, .vyuy, .nv16, .nv61, .rgbx32, .bgrx32, .rgb32, .bgr32, .y10, .y12,
    ]

    @Test(arguments: ([.mjpeg, .jpeg] + FourCC.raw).filter { !unknown.contains($0) })
    func `each format is turned, rows with padding too`(_ format: FourCC) throws {
        let plain = format.isJPEG ? FourCC.rgb24 : format
        let size = (width: 16, height: 8)
        let layout = Converting.layout(plain, size.width, size.height)
        let padded = Converting.layout(plain, size.width, size.height, padding: 16)
        var asked = padded
        asked.pixelFormat = format
        let count = try #require(padded.byteCount)
        // Grey in a ramp of rows: every format can hold it without loss.
        let frame = Self.rows(plain, padded, count)
        let picture = try Converting.picture(
            format.isJPEG ? Self.rows(plain, layout, try #require(layout.byteCount)) : frame,
            asked,
            profile: Converting.profile(inputStatus: 0x30)
        )
        let step = picture.layout.pixelFormat == .rgb24 ? 3 : 1
        for row in 0..<size.height {
            let value = picture.bytes[row * picture.layout.bytesPerRow + 4 * step]
            #expect(value == UInt8((size.height - 1 - row) * 30), "\(format), row \(row)")
        }
        if step == 1 { #expect(picture.bytes.dropFirst(16 * 8).allSatisfy { $0 == 128 }) }
    }

    /// A frame whose row n is grey, 30 times n.
    private static func rows(_ format: FourCC, _ layout: PictureLayout, _ count: Int) -> [UInt8] {
        var frame = [UInt8](repeating: 128, count: count)
        let row = layout.minimumBytesPerRow ?? 0
        for y in 0..<layout.size.height {
            for x in 0..<row {
                let isChroma =
                    switch format {
                    case .yuyv, .yvyu: x % 2 == 1
                    case .uyvy: x % 2 == 0
                    default: false
                    }
                if !isChroma { frame[y * layout.bytesPerRow + x] = UInt8(y * 30) }
            }
        }
        return frame
    }
}
