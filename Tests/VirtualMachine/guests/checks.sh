# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by the guests' scripts: named checks, written to /mnt/results/checks.tap in the Test Anything Protocol.
#
#   check SENTENCE COMMAND...    runs COMMAND in a subshell with errexit; passes if it succeeds within $limit seconds,
#                                and says how long that took
#   require SENTENCE COMMAND...  the same, and ends the script if it fails
#   finish                       writes the plan, without which a run counts as broken off; fails if a check failed
#
# With ONLY set (TINTYPE_VM_ONLY of `run`), a check whose sentence does not match that regular expression is left out.

# All limits are for a machine that emulates as fast as the one that they were made on. PACE is by how much this one is
# slower, 1 at least; it is measured before each check, since others use the machine too. Every limit is that many times
# as long, here, in what is written in Python (cameras.py), and in the Swift suites.

# Each check is a process group of its own, so that all of one that hangs can be ended.
set -m
# Ends what hangs, and judges no speed: four times what the slowest check takes on a busy machine.
limit=900
# A program takes a tenth of a second to start under emulation: what happens around each check is done by bash itself.
never=/tmp/never
[ -p "$never" ] || mkfifo "$never"
usual_start_ms=100
work=/var/tmp/tintype
mkdir -p "$work"
results=/mnt/results
tap=$results/checks.tap
# Under emulation it takes seconds to start a program of Python, the more where its modules are compiled each time.
export PYTHONPATH=${BASH_SOURCE[0]%/guests/*} PYTHONPYCACHEPREFIX=/tmp/python
checks=0
failures=0
: > "$tap"

# How long a program takes to start, against what it took there: under emulation most of what a check takes is that.
measure_pace() {
    local began=${EPOCHREALTIME/./}
    /bin/true
    /bin/true
    PACE=$((((${EPOCHREALTIME/./} - began) / 2000 + usual_start_ms / 2) / usual_start_ms))
    [ "$PACE" -ge 1 ] || PACE=1
    export PACE
}

# nap SECONDS: sleeps, without a program: nobody writes into that pipe.
nap() {
    local nothing
    # shellcheck disable=SC2034
    read -r -t "$1" nothing <> "$never" || true
}

check() {
    local sentence=$1 output=/tmp/check-$checks.log status began ended watchdog process
    local -a lines
    shift
    [ "${required:-}" = yes ] || [[ $sentence =~ ${ONLY:-.} ]] || return 0
    measure_pace
    began=$SECONDS
    (
        set -euo pipefail
        "$@"
    ) > "$output" 2>&1 < /dev/null &
    process=$!
    (
        nap $((limit * PACE))
        echo "It was still running after $((limit * PACE)) s:" >> "$output"
        ps -o pid,stat,wchan:20,args --ppid "$process" >> "$output"
        kill -KILL -- "-$process"
    ) > /dev/null 2>&1 &
    watchdog=$!
    wait "$process"
    status=$?
    ended=$SECONDS
    kill -- "-$watchdog" 2> /dev/null
    wait "$watchdog" 2> /dev/null
    checks=$((checks + 1))
    mapfile -t lines < "$output" 2> /dev/null
    [ "${#lines[@]}" -le 40 ] || lines=("${lines[@]: -40}")
    report >> "$tap"
    report
    [ "$status" -eq 0 ] || failures=$((failures + 1))
}

# What check has seen, in the Test Anything Protocol.
report() {
    if [ "$status" -eq 0 ]; then
        echo "ok $checks - $sentence"
    else
        echo "not ok $checks - $sentence"
        echo "# exit status $status; it printed:"
    fi
    [ "${#lines[@]}" -eq 0 ] || printf '# %s\n' "${lines[@]}"
    echo "# took $((ended - began)) s at pace $PACE; $SECONDS s since the guest's checks began"
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

# within SECONDS COMMAND...: runs COMMAND again and again until it succeeds; shows its last words if it never does.
#
# COMMAND is run with errexit, but not where this is itself a condition, as before || or &&: bash lets nothing below it end
# at a command that fails then, so such a COMMAND has to be one that its last command judges.
within() {
    local end=$((SECONDS + $1 * PACE)) last status errexit=$-
    shift
    while true; do
        set +e
        last=$(
            set -e
            "$@" 2>&1
        )
        status=$?
        [[ $errexit != *e* ]] || set -e
        [ "$status" -ne 0 ] || return 0
        if [ "$SECONDS" -ge "$end" ]; then
            echo "in vain until the time limit: $*"
            echo "$last"
            return 1
        fi
        nap 0.2
    done
}

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

# swift_suites REGEX: runs the Swift suites that match, within $limit seconds; shows which tests failed, and why.
swift_suites() {
    TINTYPE_TEST_VM=1 TINTYPE_TEST_SCALE=$((10 * PACE)) timeout $((limit * PACE - 20)) \
        "$TINTYPE_BINARIES"/*PackageTests.xctest --testing-library swift-testing --filter "$1" \
        --event-stream-output-path "$results/swift.jsonl" > "$results/swift.log" 2>&1 || {
        local status=$?
        echo "The tests ended with exit status $status; their log is $results/swift.log. What it says of failures, and its end:"
        grep -aE '✘|↳|rror:' "$results/swift.log" | tail -n 30 | cut -c 1-400 || true
        tail -n 8 "$results/swift.log" | cut -c 1-400
        return "$status"
    }
}

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
    disown
}

# is_plugged NAME: waits until all cameras of that process are plugged in.
is_plugged() { within 60 grep -q ready "$work/$1.log" || { cat "$work/$1.log"; return 1; }; }

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
