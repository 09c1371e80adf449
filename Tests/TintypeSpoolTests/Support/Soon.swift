// SPDX-License-Identifier: Apache-2.0
internal import TestSupport
internal import TintypeModel

/// A deadline that no test should need.
var soon: MonotonicTime { .now() + .patience }

/// A deadline that has passed.
var past: MonotonicTime { .now() - .seconds(1) }
