// SPDX-License-Identifier: Apache-2.0
import TestSupport
import TintypeModel

/// A deadline that no test should need.
var soon: MonotonicTime { .now() + .patience }
