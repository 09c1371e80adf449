// SPDX-License-Identifier: Apache-2.0
internal import FoundationEssentials
internal import TintypeAPI

/// Network of the unit, without which only sockets passed by systemd can be reached over TCP.
enum ServiceNetwork {
    /// Warning about the own TCP socket of a service without a network; nil if there is none.
    ///
    /// `invocation` is INVOCATION_ID of systemd.exec(5), and `devices` the text of /proc/net/dev. A unit starts after the
    /// devices of the machine, so only a private network namespace has none but `lo`.
    static func warning(_ address: TCPAddress?, invocation: String?, devices: String) -> String? {
        let names = devices.matches(of: /(?m)^ *([^ :\n]+):/).map { String($0.1) }
        guard let address, invocation != nil, names == ["lo"] else { return nil }
        return """
            tcp: nothing but this service reaches \(address): its unit has no network (PrivateNetwork=). Leave only hosts \
            and origins in tcp, if anything, and let systemd listen (tintyped-tcp.socket): sudo systemctl stop \
            tintyped.service; sudo systemctl enable --now tintyped-tcp.socket; sudo systemctl start tintyped.service
            """
    }

    /// Interfaces of this process, as proc_net_dev of proc(5) has them; empty if the file cannot be read.
    static var devices: String { (try? String(contentsOfFile: "/proc/self/net/dev", encoding: .utf8)) ?? "" }
}
