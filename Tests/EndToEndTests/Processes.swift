// SPDX-License-Identifier: Apache-2.0
internal import Testing

/// The built daemon and command line as processes, each test in its own folder.
///
/// Serialized: each test has the machine to itself, apart from other test processes.
@Suite(.serialized)
enum Processes {}
