# SPDX-License-Identifier: Apache-2.0
"""python3 -m usbcameras run --control SOCKET [--log FILE] --camera 'serial=A;latency=0.05' --camera ...
python3 -m usbcameras tell SOCKET @SERIAL COMMAND...
"""
import argparse
import sys

from .server import Server, tell


def parse(arguments):
    parser = argparse.ArgumentParser(prog="usbcameras run")
    parser.add_argument("--control", required=True, help="the Unix socket for commands")
    parser.add_argument("--log", help="a file that gets a line a frame: number, begin of its exposure, when due, when sent")
    parser.add_argument("--first-place", type=int, default=0, help="the place of the first camera; each has its own in the machine")
    parser.add_argument("--bus-bytes", type=int, default=0, help="bytes a microframe for all isochronous streams; 0: any number")
    parser.add_argument("--camera", action="append", required=True, metavar="KEY=VALUE;...", help="one camera; repeat it")
    options = parser.parse_args(arguments)
    each = argparse.ArgumentParser(prog="--camera")
    each.add_argument("--pid", type=lambda text: int(text, 16), default=0x0102)
    each.add_argument("--serial", default="", help="empty: none")
    each.add_argument("--port", type=int, help="of vhci_hcd: 0 to 14 of its first controller, 30 to 44 of its second; else a free one")
    each.add_argument("--transfer", choices=("iso", "bulk"), default="iso")
    each.add_argument("--mode", action="append", help="as in mjpeg:160x120@30,10; repeat it")
    each.add_argument("--latency", type=float, default=0.02, help="seconds from the start of an exposure to its first packet")
    cameras = [each.parse_args([f"--{word}" for word in text.split(";") if word]) for text in options.camera]
    return options, cameras


def main():
    verb, arguments = (sys.argv[1], sys.argv[2:]) if len(sys.argv) > 2 else ("", [])
    if verb == "run":
        Server(*parse(arguments)).run()
    elif verb == "tell":
        print(tell(arguments[0], " ".join(arguments[1:])))
    else:
        sys.exit(__doc__)


main()
