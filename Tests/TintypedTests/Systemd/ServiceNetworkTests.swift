// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeAPI

@testable import tintyped

struct ServiceNetworkTests {
    private static let address = TCPAddress(host: "127.0.0.1", port: 8642)
    private static let head = """
        Inter-|   Receive                                                |  Transmit
         face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier

        """
    private static let loopback = "    lo:  1200      12    0    0    0     0          0         0     1200      12\n"
    private static let ethernet = "  eth0:99999     100    0    0    0     0          0         0      200       2\n"

    @Test func `warns of a port of a service that has no interface but loopback`() throws {
        let text = ServiceNetwork.warning(Self.address, invocation: "a1", devices: Self.head + Self.loopback)
        let warning = try #require(text)
        #expect(warning.contains("127.0.0.1:8642") && warning.contains("tintyped-tcp.socket"))
        #expect(warning.contains("sudo systemctl enable --now"))
    }

    @Test(
        arguments: [
            // Systemd listens, a program of a terminal, a machine with a network, and an unknown one.
            (nil, "a1", head + loopback), (address, nil, head + loopback), (address, "a1", head + loopback + ethernet),
            (address, "a1", head + ethernet + loopback), (address, "a1", head), (address, "a1", ""),
        ] as [(TCPAddress?, String?, String)]
    )
    func `does not warn otherwise`(address: TCPAddress?, invocation: String?, devices: String) {
        #expect(ServiceNetwork.warning(address, invocation: invocation, devices: devices) == nil)
    }

    @Test func `reads the interfaces of this process`() {
        #expect(ServiceNetwork.devices.contains(" lo:"))
    }
}
