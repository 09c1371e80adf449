// SPDX-License-Identifier: Apache-2.0
internal import Testing

/// The built daemon and command line as processes, each test in a folder of its own.
///
/// One after the other: each has the machine to itself, but for the suites of other test processes.
@Suite(.serialized)
enum Processes {}
