// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestSupport
import Testing
import TintypeDevice
import TintypeModel

/// Cameras mounted upside down, which libv4lconvert finds in its table by computer and USB device.
struct UpsideDownTests {
    /// A 16x8 frame with a different luma in every pixel.
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

    /// Makes a sysfs of a laptop whose camera is /dev/null.
    private static func makeSysfs(board: String) throws {
        let root = NSTemporaryDirectory() + "/tintype-\(UUID().uuidString)"
        // /dev/null has the device number 1:3.
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

    // The environment belongs to the whole process: these tests run in child processes.
    @Test(
        arguments: [
            ("F3Sv", "/dev/null", [], true), ("F3Sv", "/dev/zero", [], false), ("F3Sv", nil, [], false),
            // Another computer, and a driver that turns pictures itself (V4L2_CID_HFLIP and V4L2_CID_VFLIP).
            ("Z99", "/dev/null", [], false), ("F3Sv", "/dev/null", [0x0098_0914, 0x0098_0915], false),
        ] as [(String, String?, Set<UInt32>, Bool)]
    )
    func `rotates only the node that libv4lconvert lists as upside down in this computer`(
        _ board: String,
        _ path: String?,
        _ controls: Set<UInt32>,
        _ isListed: Bool
    ) async {
        await #expect(processExitsWith: .success) { [board, path, controls, isListed] in
            try Self.makeSysfs(board: board)
            guard try Self.isTurned(Converting.profile(controls: controls, path: path)) == isListed else { exit(4) }
        }
    }

    @Test func `libv4lconvert leaves no shared memory behind`() async throws {
        // A killed program may have left a name behind.
        let before = Self.sharedMemory
        #expect(try Self.isTurned(Converting.profile(inputStatus: 0x30)))
        // Concurrent tests remove their shared memory soon.
        let new = Self.sharedMemory.subtracting(before)
        try await eventually("the end of other tests' shared memory") { new.isDisjoint(with: Self.sharedMemory) }
    }

    /// Names of the memory shared by libv4lconvert in all programs of this name.
    private static var sharedMemory: Set<String> {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/dev/shm")) ?? []
        return Set(names.filter { $0.hasPrefix("libv4l-") && $0.contains(":tintype:") })
    }

    @Test func `rotates a sensor that the driver reports as upside down`() throws {
        // V4L2_IN_ST_HFLIP and V4L2_IN_ST_VFLIP.
        #expect(try Self.isTurned(Converting.profile(inputStatus: 0x30)))
        #expect(try !Self.isTurned(Converting.profile(inputStatus: 0)))
    }

    /// Formats that we read ourselves but libv4lconvert does not know.
    private static let unknown: Set<FourCC> = [
        .yuv422p, .vyuy, .nv16, .nv61, .rgbx32, .bgrx32, .rgb32, .bgr32, .y10, .y12,
    ]

    @Test(arguments: ([.mjpeg, .jpeg] + FourCC.raw).filter { !unknown.contains($0) })
    func `rotates every format including padded rows`(_ format: FourCC) throws {
        let plain = format.isJPEG ? FourCC.rgb24 : format
        let size = (width: 16, height: 8)
        let layout = Converting.layout(plain, size.width, size.height)
        let padded = Converting.layout(plain, size.width, size.height, padding: 16)
        var asked = padded
        asked.pixelFormat = format
        let count = try #require(padded.byteCount)
        // A grey ramp over the rows: lossless in every format.
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

    /// Returns a frame whose row n is grey with the value 30 n.
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
