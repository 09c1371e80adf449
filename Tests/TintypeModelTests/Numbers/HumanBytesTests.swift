// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

struct HumanBytesTests {
    @Test(arguments: [
        ("0", 0), ("1000", 1000), ("1k", 1024), ("100K", 102_400), ("1.5M", 1_572_864), ("0.125k", 128),
        ("64M", 67_108_864), ("2G", 2_147_483_648), ("1024T", 1 << 50),
    ])
    func `parses sizes with binary units`(_ text: String, _ bytes: Int) {
        #expect(HumanBytes.parse(text) == bytes)
        #expect(HumanBytes.parse(HumanBytes.text(bytes)) == bytes)
    }

    @Test(arguments: [
        "", "k", "-1", "+1", "1.5", "1.", ".5k", "1.2345k", "1kk", "1 k", "1KB", "1e3", "0x10", "1025T", "1024.001T",
        "١k", "99999999999999999",
    ])
    func `rejects an invalid size`(_ text: String) { #expect(HumanBytes.parse(text) == nil) }

    @Test(arguments: [
        (0, "0"), (1, "1"), (1000, "1000"), (1024, "1k"), (1 << 20, "1M"), (3 << 30, "3G"), (1 << 40, "1T"),
    ])
    func `a size is formatted in its largest whole unit`(_ bytes: Int, _ text: String) {
        #expect(HumanBytes.text(bytes) == text)
    }

    @Test(arguments: [
        (0, "0"), (999, "999"), (1000, "1k"), (1024, "1k"), (29_900, "29.2k"), (102_349, "100k"), (1_023_400, "999k"),
        (1_024_000, "1M"), (64 << 20, "64M"), (3 << 29, "1.5G"), (1 << 40, "1T"), (1 << 50, "1024T"),
    ])
    func `a rounded size has about three digits`(_ bytes: Int, _ text: String) {
        #expect(HumanBytes.rounded(bytes) == text)
        #expect(HumanBytes.parse(text) != nil)
    }
}
