# SPDX-License-Identifier: Apache-2.0
"""From a command to a picture in a file, the camera's start and first frame (33 ms) included."""

import statistics
import subprocess
import time

from .place import FORMS, NODE, found


def ours(server, file, *more):
    return [str(server.binaries / "tintype"), "still", "--deadline", "1m", "-o", file, *more]


def theirs(form, file):
    """Name, command and what of ours it is beside, of the programs that are installed."""
    fswebcam = ["fswebcam", "--quiet", "--no-banner", "--device", NODE, "--resolution", "1280x720",
                *["--palette", "MJPEG"] * (form == "MJPG")]
    source = ["-input_format", "mjpeg" if form == "MJPG" else "yuyv422", "-video_size", "1280x720", "-framerate", "30"]
    commands = {
        "fswebcam": [*fswebcam, file],
        "fswebcam --skip 8": [*fswebcam, "--skip", "8", file],
        "ffmpeg": ["ffmpeg", "-loglevel", "error", "-y", "-f", "v4l2", *source, "-i", NODE, "-frames:v", "1", file],
        "v4l2-ctl, as it comes": ["v4l2-ctl", "--device", NODE, "--stream-mmap", "--stream-count=1", f"--stream-to={file}"],
    }
    return {name: command for name, command in commands.items() if found(command[0])}


def seconds(command, environment, file):
    """The wall time of a command that makes the file; None if it fails."""
    began = time.monotonic()
    outcome = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    took = time.monotonic() - began
    if outcome.returncode or not file.exists():
        return None, f"{command[0]}: status {outcome.returncode}: {outcome.stderr.strip()[-300:]}"
    file.unlink()
    return took, None


def run(place, report, servers, effort, _):
    """`servers` are ours, whose daemon runs with a cold camera for one of the commands."""
    file = place.folder / "picture.jpg"
    runs, waiting, settled = "cold, tintyped runs", "cold, no daemon runs (--once --settle never)", "cold, settled (--once)"
    for form in FORMS:
        environment, _ = place.camera_environment(form)
        peers = theirs(form, str(file))
        for name, command in peers.items():
            report.commands[f"{name}, {form}"] = " ".join(command)
        times = {}

        def take(key, command):
            took, fault = seconds(command, environment, file)
            if fault:
                report.leave_out(fault)
            else:
                times.setdefault(key, []).append(took * 1000)

        for server in servers:
            socket = ["--socket", str(place.folder / "tintyped.sock"), "--settle", "never"]
            server.start(form, warmth="cold")
            try:
                for _ in range(max(2, round(5 * effort))):
                    take((runs, server.name), ours(server, str(file), *socket))
                    # It closes its camera meanwhile.
                    take((waiting, server.name), ours(server, str(file), "--once", "--device", NODE, "--settle", "never"))
                    take((settled, server.name), ours(server, str(file), "--once", "--device", NODE))
                    if server is servers[0]:
                        for name, command in peers.items():
                            take((settled if "skip" in name else runs, name), command)
            finally:
                server.stop()
        # The same run of a peer stands beside both of ours that take the first frame.
        for name in peers:
            if (runs, name) in times:
                times[(waiting, name)] = times[(runs, name)]
        for (what, name), values in times.items():
            report.note(f"{form}: {what}: command to file", "ms", name, statistics.median(values))
