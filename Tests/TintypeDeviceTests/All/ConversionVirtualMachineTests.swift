// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeDevice
import TintypeImaging
import TintypeModel

extension RealDeviceTests {
    /// Colour bars that vivid draws in every format it offers.
    @Suite(.requiresVirtualMachine, .serialized) struct ConversionVirtualMachineTests {
        private static let size = FrameSize(width: 640, height: 360)

        /// Returns one frame in `format`, converted if necessary.
        private func frame(_ device: TestDevice, _ format: FourCC) throws -> (layout: PictureLayout, bytes: [UInt8]) {
            let open = try OpenDevice(device, wish: FormatWish(pixelFormats: [format], size: .near(Self.size)))
            _ = try open.device.start()
            let lease = try open.nextFrame()
            switch try open.device.makeConverter(for: open.granted) {
            case .some(var converter): return try Converting.picture(lease.copiedBytes(), &converter)
            case .none: return (open.granted.layout, lease.copiedBytes())
            }
        }

        /// Returns the value of one channel at the centre of each of the eight bars, below vivid's text overlay.
        private func bars(_ picture: (layout: PictureLayout, bytes: [UInt8]), _ channel: Int, of channels: Int) -> [Int]
        {
            (0..<8).map { bar in
                let (column, row) = (bar * Self.size.width / 8 + Self.size.width / 16, Self.size.height - 20)
                return Int(picture.bytes[row * picture.layout.bytesPerRow + column * channels + channel])
            }
        }

        @Test(arguments: ["vivid-webcam", "vivid-mplane"])
        func `every converted format shows vivid's colour bars`(_ name: String) async throws {
            let device = try #require(TestDevice.hardware.first { $0.testDescription.hasPrefix(name + " ") })
            try await DeviceStage.perform {
                let offered = try device.open().formats().map(\.pixelFormat)
                let formats = ConvertedFormat.all.map(\.pixelFormat).filter(offered.contains)
                let (red10, red16) = (FourCC.bayer10[3], FourCC.bayer16[3])
                let least: Set<FourCC> = [.sbggr8, .sgbrg8, .sgrbg8, .srggb8, red10, red16, .y16, .y16be]
                #expect(least.isSubset(of: formats))
                // Both APIs share vivid's drawing code: a few formats are enough for the second.
                let chosen = name == "vivid-webcam" ? formats : [.srggb8, .y16]
                let own = try frame(device, .rgb24)
                let wanted = (0..<3).map { bars(own, $0, of: 3) }
                // 75 % bars from white to black.
                #expect(wanted[0].map { $0 > 95 } == [true, true, false, false, true, true, false, false])
                #expect(wanted[1].map { $0 > 95 } == [true, true, true, true, false, false, false, false])
                #expect(wanted[2].map { $0 > 95 } == [true, false, true, false, true, false, true, false])
                for format in chosen {
                    let picture = try frame(device, format)
                    guard picture.layout.pixelFormat == .rgb24 else {
                        // Bars get darker from white to black.
                        let luma = bars(picture, 0, of: 1)
                        #expect(luma == luma.sorted(by: >) && Set(luma).count == 8, "\(format): \(luma)")
                        continue
                    }
                    for channel in 0..<3 {
                        let (got, want) = (bars(picture, channel, of: 3), wanted[channel])
                        let worst = zip(got, want).map { abs($0 - $1) }.max() ?? 255
                        #expect(worst <= 10, "\(format), channel \(channel): \(got), wanted \(want)")
                    }
                }
            }
        }

        @Test func `multi-planar and deep greyscale formats show vivid's colour bars`() async throws {
            let device = try #require(TestDevice.hardware.first { $0.testDescription.hasPrefix("vivid-mplane ") })
            try await DeviceStage.perform {
                let offered = try device.open().formats().map(\.pixelFormat)
                let several = SeveralBuffers.all.map(\.pixelFormat)
                #expect(Set(offered).isSuperset(of: several + [.y10, .y12]))
                var encoder = JPEGEncoder()
                var decoder = JPEGDecoder()
                func shown(_ format: FourCC) throws -> [[Int]] {
                    let picture = try frame(device, format)
                    let jpeg = try encoder.encode(picture.bytes.rawSpan, layout: picture.layout, quality: 95)
                    let (size, pixels) = try decoder.decodeRGB(jpeg.rawSpan)
                    var layout = picture.layout
                    layout.bytesPerRow = 3 * size.width
                    return (0..<3).map { bars((layout, pixels), $0, of: 3) }
                }
                let wanted = try shown(.yuyv)
                for format in several {
                    let got = try shown(format)
                    let worst = zip(got.joined(), wanted.joined()).map { abs($0 - $1) }.max() ?? 255
                    #expect(worst <= 10, "\(format): \(got), wanted \(wanted)")
                }
                for format in [FourCC.y10, .y12] {
                    let luma = try shown(format)[0]
                    #expect(luma == luma.sorted(by: >) && Set(luma).count == 8, "\(format): \(luma)")
                    #expect((185...197).contains(luma[0]) && luma[7] < 3, "\(format): \(luma)")
                }
            }
        }

        @Test func `vivid's YUYV frames need no converter`() async throws {
            let device = try #require(TestDevice.hardware.first { $0.testDescription.hasPrefix("vivid-webcam ") })
            try await DeviceStage.perform {
                let open = try OpenDevice(device, wish: FormatWish(pixelFormats: [.yuyv], size: .near(Self.size)))
                if case .some = try open.device.makeConverter(for: open.granted) { Issue.record("it has a converter") }
            }
        }
    }
}
