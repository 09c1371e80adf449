# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by the guests' scripts: named checks, written to /mnt/results/checks.tap in the Test Anything Protocol.
#
#   check SENTENCE COMMAND...    runs COMMAND in a subshell with errexit; passes if it succeeds
#   require SENTENCE COMMAND...  the same, and ends the script if it fails
#   finish                       writes the plan, without which a run counts as broken off; fails if a check failed
#
# With ONLY set (TINTYPE_VM_ONLY of `run`), a check whose sentence does not match that regular expression is left out.
#
# No check judges time, and none has a limit: `boot` ends a machine in which no check ends for a long time. What a check prints
# is in /mnt/results/running.log while it runs, after its sentence. A check that takes long and makes progress adds lines to
# $TINTYPE_VM_ALIVE.

# Each check is a process group of its own.
set -m
# A program takes a tenth of a second to start under emulation: what happens around each check is done by bash itself.
never=/tmp/never
[ -p "$never" ] || mkfifo "$never"
work=/var/tmp/tintype
mkdir -p "$work"
results=/mnt/results
tap=$results/checks.tap
running=$results/running.log
export TINTYPE_VM_ALIVE=$results/alive
vm=${BASH_SOURCE[0]%/guests/*}
# Under emulation it takes seconds to start a program of Python, the more where its modules are compiled each time.
export PYTHONPATH=$vm PYTHONPYCACHEPREFIX=/tmp/python
checks=0
failures=0
: > "$tap"

# nap SECONDS: sleeps, without a program: nobody writes into that pipe.
nap() {
    local nothing
    # shellcheck disable=SC2034
    read -r -t "$1" nothing <> "$never" || true
}

check() {
    local sentence=$1 status began
    local -a lines
    shift
    [ "${required:-}" = yes ] || [[ $sentence =~ ${ONLY:-.} ]] || return 0
    began=$SECONDS
    # A new file: what an earlier check has left running keeps the old one.
    rm -f "$running"
    echo "$sentence" > "$running"
    (
        set -euo pipefail
        "$@"
    ) >> "$running" 2>&1 < /dev/null &
    wait $!
    status=$?
    checks=$((checks + 1))
    mapfile -t -s 1 lines < "$running" 2> /dev/null
    [ "${#lines[@]}" -le 40 ] || lines=("${lines[@]: -40}")
    report >> "$tap"
    report
    [ "$status" -eq 0 ] || failures=$((failures + 1))
}

# The result of a check, in the Test Anything Protocol. The times are for whoever makes the tests faster.
report() {
    if [ "$status" -eq 0 ]; then
        echo "ok $checks - $sentence"
    else
        echo "not ok $checks - $sentence"
        echo "# exit status $status; it printed:"
    fi
    [ "${#lines[@]}" -eq 0 ] || printf '# %s\n' "${lines[@]}"
    echo "# took $((SECONDS - began)) s; $SECONDS s since the guest's checks began"
}

require() {
    local before=$failures required=yes
    check "$@"
    [ "$failures" -eq "$before" ] || {
        echo "Bail out! Nothing else can be checked without it." | tee -a "$tap"
        finish
        exit 1
    }
}

finish() {
    echo "1..$checks" | tee -a "$tap"
    [ "$failures" -eq 0 ] && [ "$checks" -gt 0 ]
}

# until_true COMMAND...: runs COMMAND again and again until it succeeds. Prints every 30 s what it waits for.
#
# COMMAND is run with errexit, but not where this is itself a condition, as before || or &&: bash lets nothing below it end
# at a command that fails then, so such a COMMAND has to be one that its last command judges.
until_true() {
    local last status errexit=$- said=$SECONDS
    while true; do
        set +e
        last=$(
            set -e
            "$@" 2>&1
        )
        status=$?
        [[ $errexit != *e* ]] || set -e
        [ "$status" -ne 0 ] || return 0
        if [ $((SECONDS - said)) -ge 30 ]; then
            said=$SECONDS
            echo "still waiting for: $*"
            [ "${#last}" -le 1000 ] || last=${last: -1000}
            [ -z "$last" ] || printf '    %s\n' "$last"
        fi
        nap 0.2
    done
}

# gone PID: the process has ended.
gone() { [ ! -e "/proc/$1" ] || grep -q '^State:.*Z' "/proc/$1/status"; }

# is_serving PID SOCKET: waits until the daemon answers at its socket; fails if it ends before.
is_serving() {
    until_true serves_or_is_gone "$1" "$2"
    ! gone "$1" || { echo "tintyped has ended."; return 1; }
}
serves_or_is_gone() { curl -s -m 900 -o /dev/null --unix-socket "$2" http://localhost/healthz || gone "$1"; }

# exits_with STATUS COMMAND...: succeeds if COMMAND ends with exit status STATUS.
exits_with() {
    local wanted=$1 status=0
    shift
    "$@" || status=$?
    echo "exit status $status, wanted $wanted: $*"
    [ "$status" -eq "$wanted" ]
}

# One sentence and a remedy on stderr, as `tintype` owes for every error: at least WORD in it, and no trace of a crash.
says() {
    local word=$1 text
    shift
    text=$("$@" 2>&1 > /dev/null) || true
    echo "$text"
    grep -qi -- "$word" <<< "$text" && ! grep -qE 'Fatal error|Stack dump' <<< "$text"
}

# install_programs: those that hold the Swift runtime, which every user may read, wherever the build lies.
install_programs() { install -m 755 "$TINTYPE_BINARIES"/static/{tintyped,tintype} /usr/local/bin/; }

# serve FOLDER OPTION...: starts a daemon that has its configuration (tintyped.yaml), its socket and all else in FOLDER, and runs as
# the folder's owner, root or nobody.
serve() {
    local folder=$1 as=()
    shift
    [ "$(stat -c %U "$folder")" = root ] || as=(setpriv --reuid nobody --regid nogroup --clear-groups)
    "${as[@]}" tintyped --socket "$folder/tintyped.sock" --spool "$folder/spool" --state "$folder/state" \
        --config "$folder/tintyped.yaml" "$@" > "$folder/tintyped.log" 2>&1 < /dev/null &
    echo $! > "$folder/tintyped.pid"
    is_serving $! "$folder/tintyped.sock"
}

# stops_on_sigterm FOLDER: the daemon of that folder ends, and leaves no socket.
stops_on_sigterm() {
    local pid
    pid=$(< "$1/tintyped.pid")
    kill -TERM "$pid"
    until_true gone "$pid"
    test ! -e "$1/tintyped.sock"
}

# begin_lane FOLDER NAME COMMAND...: a program whose checks (lanes.py) go on beside those of this script.
begin_lane() {
    local log=$1/$2.log
    shift 2
    "$@" > "$log" 2>&1 < /dev/null &
    disown
}

# check_lanes FOLDER: has each check that a line of standard input has, name and sentence, passed in a lane?
check_lanes() {
    local name sentence
    while IFS=$'\t' read -r name sentence; do check "$sentence" has_passed "$1/$name"; done
}
has_passed() {
    local status
    until_true has_ended "$1"
    cat "$1.log"
    status=$(< "$1.status")
    return "$status"
}
has_ended() { tail -n 4 "$1.log" && [ -e "$1.status" ]; }

# swift_suites REGEX [BUNDLE]: runs the Swift suites that match; shows which tests failed, and why.
swift_suites() {
    local bundle=${2:-}
    [ -n "$bundle" ] || bundle=$(echo "$TINTYPE_BINARIES"/*PackageTests.xctest)
    TINTYPE_TEST_VM=1 "$bundle" --testing-library swift-testing --filter "$1" \
        --event-stream-output-path "$results/swift.jsonl" > "$results/swift.log" 2>&1 || {
        local status=$?
        echo "The tests ended with exit status $status; their log is $results/swift.log. What it says of failures, and its end:"
        grep -aE '✘|↳|rror:' "$results/swift.log" | tail -n 30 | cut -c 1-400 || true
        tail -n 8 "$results/swift.log" | cut -c 1-400
        return "$status"
    }
}

# feed_yuyv NODE: feeds the v4l2loopback NODE with the clip of `run`, as YUYV, in the background.
feed_yuyv() {
    ffmpeg -nostdin -hide_banner -loglevel error -re -stream_loop -1 -f rawvideo -pix_fmt yuyv422 -video_size 320x180 \
        -framerate 5 -i "$CLIP/clip.yuyv" -f v4l2 -pix_fmt yuyv422 "$1" < /dev/null > "$work/feed-${1##*/}.log" 2>&1 &
    disown
}

# is_fed NODE: v4l2-ctl reads two frames of it.
is_fed() {
    v4l2-ctl --device "$1" --stream-mmap --stream-count=2 --stream-to="$work/fed"
    test -s "$work/fed"
}

# number CAMERA NAME: the first number behind a name in what the daemon says of a camera, as jq would find it.
number() {
    curl -sSf -m 900 --unix-socket "${socket:?}" "http://localhost/v1/cameras/$1" | grep -oE "\"$2\":[0-9]+" | head -n 1 | cut -d : -f 2
}

captures_more_than() { [ "$(number "$1" captured)" -gt "$2" ]; }

# nodes_of PID: the video node behind each descriptor that a process has of one, a line for each; fails where it has ended.
nodes_of() {
    # A descriptor that is closed while find looks at it is a failure to find.
    [ -r "/proc/$1/fd" ]
    find "/proc/$1/fd" -lname '/dev/video*' -printf '%l\n' 2> /dev/null || [ -e "/proc/$1/exe" ]
}

# make install from the binaries under test, as a package would, into the guest's own /usr/local; and, where the Swift
# runtime lies in a folder that service users cannot read (a toolchain in somebody's home), a copy of it.
install_tintype() {
    make --no-print-directory -C "$TINTYPE_ROOT" install PREFIX=/usr/local BINARIES="$TINTYPE_BINARIES"
    local runtime
    runtime=$(ldd /usr/local/bin/tintyped 2> /dev/null | awk '$1 ~ /^libswiftCore/ { print $3 }') || return 0
    [ -n "$runtime" ] || return 0
    case $runtime in /home/* | /root/*) ;; *) ! setpriv --reuid nobody --regid nogroup --clear-groups test -r "$runtime" || return 0 ;; esac
    mkdir -p /usr/local/lib/swift-runtime
    cp "$(dirname "$runtime")"/*.so* /usr/local/lib/swift-runtime/
    echo /usr/local/lib/swift-runtime > /etc/ld.so.conf.d/swift-runtime.conf
    ldconfig
}

# What virtual USB cameras (usbcameras) need of the kernel.
load_usb_cameras() {
    modprobe uvcvideo nodrop=1
    modprobe vhci-hcd
    # vhci_hcd disconnects suspended devices that are opened at the same moment: none is suspended unless a check wants it.
    echo -1 > /sys/module/usbcore/parameters/autosuspend
}

# plug NAME FIRST-PLACE OPTION...: a process of virtual USB cameras, whose commands $work/NAME.sock takes, and whose exposures
# are in $work/exposures. A group of its own, and no child of the check that plugs it in. A camera is hardware, which does not
# wait for the machine's processors: before others its process runs first.
plug() {
    local name=$1 place=$2
    shift 2
    nice -n -15 python3 -m usbcameras run --control "$work/$name.sock" --log "$work/exposures" --first-place "$place" "$@" \
        > "$work/$name.log" 2>&1 < /dev/null &
    echo $! > "$work/$name.pid"
    disown
}

# is_plugged NAME: waits until all cameras of that process are plugged in; fails if it ends before.
is_plugged() {
    until_true is_plugged_or_gone "$1"
    grep -q ready "$work/$1.log" || { cat "$work/$1.log"; return 1; }
}
is_plugged_or_gone() { grep -q ready "$work/$1.log" || gone "$(< "$work/$1.pid")"; }

# node_of SERIAL: the capture node of the USB camera with that serial number. Each has a second node, for metadata.
node_of() {
    local node
    for node in /sys/class/video4linux/video*; do
        if [ "$(cat "$node/device/../serial" 2> /dev/null)" = "$1" ] && [ "$(< "$node/index")" = 0 ]; then
            echo "/dev/${node##*/}"
            return
        fi
    done
    echo "no node has the serial number $1" >&2
    return 1
}

# no_oops: the kernel's log has no complaint.
no_oops() { dmesg > "$work/dmesg" && ! grep -E 'BUG:|Oops|WARNING: CPU|general protection' "$work/dmesg"; }

# whole_picture FILE [WIDTHxHEIGHT]: djpeg decodes FILE to its end without a complaint, and it is of that size.
whole_picture() {
    local complaints pixels=/tmp/pixels.$BASHPID kind width height
    complaints=$(djpeg -outfile "$pixels" "$1" 2>&1) || { echo "djpeg $1: $complaints"; return 1; }
    [ -z "$complaints" ] || { echo "djpeg $1: $complaints"; return 1; }
    # pbm(5): P5 or P6, width and height.
    { read -r kind && read -r width height; } < "$pixels"
    rm "$pixels"
    echo "$1: $kind $width $height"
    [ "${2:-${width}x$height}" = "${width}x$height" ] || { echo "$1 is ${width}x$height, not $2."; return 1; }
}
