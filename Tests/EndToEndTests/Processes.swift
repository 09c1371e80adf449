// SPDX-License-Identifier: Apache-2.0
internal import Testing

/// The built daemon and command line as processes, each test in a folder of its own.
///
/// One after the other: what they promise about time and CPU would else be promised about the other tests.
@Suite(.serialized, .timeLimit(.minutes(3)))
enum Processes {}
