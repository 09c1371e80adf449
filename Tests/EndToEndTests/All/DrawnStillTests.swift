// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Testing
internal import TintypeClient
internal import TintypeModel

extension Processes {
    /// What the pixels of a still say of averaging and of texts, by Pillow.
    @Suite struct DrawnStillTests {
        /// The standard deviation of the difference of two pictures' luma, where it is neither black nor white.
        private static let deviation = """
            import sys
            from PIL import Image as I
            a, b = (list(I.open(p).convert('L').getdata()) for p in sys.argv[1:])
            d = [x - y for x, y in zip(a, b) if 40 < y < 215]
            m = sum(d) / len(d)
            print((sum((x - m) ** 2 for x in d) / len(d)) ** 0.5)
            """

        @Test(arguments: ["YUYV:256x192@50", "MJPG:256x192@50", "GREY:256x192@50"])
        func `noise falls with the square root of the frames that are averaged`(pattern: String) async throws {
            let noisy = pattern + ",frozen,noise=12"
            try await Site.serving(noisy, pattern + ",frozen") { site, _ in
                let clean = try await site.record("{\"quality\": 100}", of: "pattern-2")
                var deviations: [Int: Double] = [:]
                for count in [1, 4, 16, 64] {
                    let record = try await site.record("{\"quality\": 100, \"average\": \(count)}")
                    #expect(record.average == (count == 1 ? nil : count))
                    let text = try await site.python(Self.deviation, record.path ?? "", clean.path ?? "")
                    deviations[count] = Double(text)
                }
                let alone = try #require(deviations[1])
                #expect((4.5...9.5).contains(alone), "\(deviations)")
                for (count, deviation) in deviations {
                    // Rounding to whole steps and JPEG leave some of it, however many there are.
                    let expected = (alone * alone / Double(count) + 0.6 * 0.6).squareRoot()
                    #expect((0.8...1.1).contains(expected / deviation), "\(count) frames: \(deviations)")
                }
            }
        }

        /// How much of the ink of a text is where Pillow draws it, and how much of the picture's upper half has changed.
        private static let ink = """
            import sys
            from PIL import Image as I, ImageDraw as D, ImageFont as F
            plain, path, text = sys.argv[1:]
            a, b = I.open(plain).convert('L'), I.open(path).convert('L')
            w, h = b.size
            size = max(8, int(h * 0.04))
            p = I.new('L', b.size)
            f = F.truetype('/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf', size, layout_engine=F.Layout.BASIC)
            edge, margin = max(1, size // 16), size // 4
            best = 0
            for dy in range(-3, 4):
                p.paste(0, (0, 0, w, h))
                line = sum(f.getmetrics()) + 2 * edge
                D.Draw(p).text((margin + edge, h - line - margin + edge + dy), text, 255, f)
                want = [v > 127 for v in p.getdata()]
                have = [v > 170 for v in b.getdata()]
                box = p.getbbox()
                inside = [i for i in range(w * h) if box[0] <= i % w < box[2] and box[1] <= i // w < box[3]]
                both = sum(want[i] and have[i] for i in inside)
                either = sum(want[i] or have[i] for i in inside)
                best = max(best, both / either)
            top = max(abs(x - y) for x, y in zip(list(a.getdata())[:w * h // 2], list(b.getdata())[:w * h // 2]))
            print(best, top)
            """

        @Test(arguments: ["YUYV:640x480@30,frozen", "MJPG:640x480@30,frozen"])
        func `a text with the time of capture is written into the lower left corner`(pattern: String) async throws {
            try await Site.with { site in
                _ = try await site.startDaemon([pattern], environment: ["TZ": "Asia/Kolkata"])
                let plain = try await site.record("{\"quality\": 95}")
                let format = "%Y-%m-%d %H:%M:%S Tor"
                let record = try await site.record("{\"quality\": 95, \"overlay\": \"\(format)\"}")
                let reader = DateFormatter()
                reader.locale = Locale(identifier: "en_US_POSIX")
                reader.timeZone = TimeZone(identifier: "Asia/Kolkata")
                reader.dateFormat = "yyyy-MM-dd HH:mm:ss 'Tor'"
                let seconds = Double(record.capturedAt.microseconds / 1_000_000)
                let expected = reader.string(from: Date(timeIntervalSince1970: seconds))
                let found = try await site.python(Self.ink, plain.path ?? "", record.path ?? "", expected)
                let numbers = found.split(separator: " ").compactMap { Double($0) }
                #expect(numbers.count == 2 && numbers[0] > 0.6, "\(found)")
                #expect(numbers.last ?? 255 <= 12, "\(found)")
                // It is another text that is not there.
                let wrong = try await site.python(
                    Self.ink,
                    plain.path ?? "",
                    record.path ?? "",
                    "1999-88-77 66:55:44 Bad"
                )
                #expect((wrong.split(separator: " ").first.flatMap { Double($0) } ?? 1) < 0.5, "\(wrong)")
            }
        }
    }
}
