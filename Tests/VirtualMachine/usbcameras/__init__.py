# SPDX-License-Identifier: Apache-2.0
"""Virtual USB webcams for the kernel's own uvcvideo: see README.md beside this file."""
