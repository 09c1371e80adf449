# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by the guests with systemd, `deciding` and `systemd`: what their checks share. They set
#
#   camera   the camera whose stills are taken, 320x180
#   steady   a camera that is hot: READY waits for it, and it streams on while the configuration is read again
#   changed  the camera whose quality is changed meanwhile; its entry in the configuration is a block with one line `rate: N`

: "${camera:?}" "${steady:?}" "${changed:?}"
socket=/run/tintype/tintyped.sock
spool=/var/lib/tintype/spool
configuration=/etc/tintype/tintyped.yaml
export TINTYPE_SOCKET=$socket

# install_service: with the configuration on standard input.
install_service() {
    install_tintype
    allow_slowness /etc/systemd/system/tintyped.service.d
    cat > "$configuration"
    # As a package's scripts do: the user, the socket's folder, the new unit.
    systemd-sysusers /usr/local/lib/sysusers.d/tintype.conf
    systemd-tmpfiles --create /usr/local/lib/tmpfiles.d/tintype.conf
    journalctl --update-catalog
    systemctl daemon-reload
    add_people
}

# allow_slowness FOLDER...: of drop-ins. How long an emulated machine takes proves nothing: what hangs is still found. What the
# watchdog ends is ended as usual.
allow_slowness() {
    local folder
    for folder in "$@"; do
        mkdir -p "$folder"
        printf '[Service]\nWatchdogSec=120\nTimeoutStartSec=600\nTimeoutStopSec=300\nTimeoutAbortSec=5\n' > "$folder/slow.conf"
    done
    # What systemd does is in the journal, as on any machine, and not on the console.
    systemctl log-target journal
}

add_people() {
    systemd-sysusers - << USERS
u insider - "a user in the group tintype" /
u outsider - "a user who is not" /
u desk - "the user of a desktop" /
m insider tintype
m desk video
USERS
}

# nodes_are_in_group_video NODE...: udev has given them to it.
nodes_are_in_group_video() {
    local node
    for node in "$@"; do [ "$(stat -c %G:%a "$node")" = video:660 ] || return 1; done
}

# property NAME [UNIT]
property() { systemctl show --value --property "$1" "${2:-tintyped.service}"; }

journal_says() { journalctl --sync && journalctl --unit tintyped.service --no-pager --output cat | grep -- "$1"; }

# steady_runs: the steady camera streams; its status is in /var/tmp/steady.json.
steady_runs() {
    curl -sS -m 900 --unix-socket "$socket" "http://localhost/v1/cameras/$steady" > /var/tmp/steady.json
    grep -q '"state":{"name":"running"}' /var/tmp/steady.json
}

# uninterrupted_openings: openings less interruptions in that status; an interruption is followed by one opening at most.
uninterrupted_openings() {
    grep -oE '"(opened|interrupted)":[0-9]+' /var/tmp/steady.json | awk -F '[":]+' '
        { count[$2] = $3 }
        END { if (NR != 2) exit 1; print count["opened"] - count["interrupted"] }'
}

# systemctl start of a Type=notify service returns once READY=1 has come.
start_service() {
    systemctl start tintyped.service
    [ "$(property Type) $(property ActiveState) $(property SubState)" = "notify active running" ]
    until_true steady_runs
    cat /var/tmp/steady.json
    curl -sS -m 900 --unix-socket "$socket" http://localhost/healthz
}

folder_and_socket() {
    stat -c '%n %U:%G %a' /run/tintype "$socket" /var/lib/tintype
    [ "$(stat -c %U:%G:%a /run/tintype)" = tintype:tintype:750 ]
    [ "$(stat -c %U:%G:%a "$socket")" = tintype:tintype:660 ]
    [ "$(stat -c %U "/proc/$(property MainPID)")" = tintype ]
}

still_in_group() {
    runuser -u insider -- sh -c "tintype still $camera --deadline 10m --no-keep -o -" > /var/tmp/insider.jpg
    whole_picture /var/tmp/insider.jpg 320x180
    still_by_curl "$camera" 320x180
}

# still_by_curl CAMERA SIZE: a member of the group takes it, with a program that starts more quickly under emulation.
still_by_curl() {
    runuser -u insider -- curl -sS --fail-with-body -m 900 --unix-socket "$socket" -o - \
        "http://localhost/v1/cameras/$1/still.jpg?deadlineMs=600000" > "/var/tmp/$1.jpg" || { cat "/var/tmp/$1.jpg" && return 1; }
    whole_picture "/var/tmp/$1.jpg" "$2"
}

refused_outside_group() {
    local status=0
    [ -S "$socket" ]
    runuser -u outsider -- tintype still "$camera" --no-keep -o - > /var/tmp/outsider.jpg 2> /var/tmp/outsider || status=$?
    cat /var/tmp/outsider
    [ "$status" -eq 2 ]
    [ ! -s /var/tmp/outsider.jpg ]
    grep -q tintyped.sock /var/tmp/outsider
    grep -q 'usermod -aG tintype' /var/tmp/outsider
    exits_with 7 runuser -u outsider -- curl -sS -m 900 --unix-socket "$socket" http://localhost/healthz
}

# The camera that is as before streams on, and is not reopened for the reload; the other goes by the new configuration.
reloads() {
    local opened captured
    until_true captures_more_than "$steady" 5
    until_true steady_runs
    opened=$(uninterrupted_openings)
    captured=$(number "$steady" captured)
    sed -i -E "/^  $changed:/,/rate:/s/^( *)rate: .*/&\\n\\1look: {quality: 33}/" "$configuration"
    systemctl reload tintyped.service
    [ "$(number "$changed" quality)" = 33 ]
    until_true captures_more_than "$steady" "$((captured + 5))"
    until_true steady_runs
    [ "$(uninterrupted_openings)" -le "$opened" ]
    [ "$(property ActiveState) $(property SubState)" = "active running" ]
    journal_says 'the configuration was read again'
    until_true still_by_curl "$camera" 320x180
}

# systemctl reload fails, the journal says where and what, and the old one stays.
refuses_to_reload_a_bad_configuration() {
    local status=0 line
    cp "$configuration" /var/tmp/before.yaml
    line=$(grep -n 'quality: 33' "$configuration" | cut -d : -f 1)
    sed -i 's/quality: 33/qualty: 44/' "$configuration"
    systemctl reload tintyped.service || status=$?
    cp /var/tmp/before.yaml "$configuration"
    [ "$status" -ne 0 ]
    journal_says "$configuration:$line:12: cameras.$changed.look.qualty"
    [ "$(number "$changed" quality)" = 33 ]
    [ "$(property ActiveState) $(property SubState)" = "active running" ]
    until_true still_by_curl "$camera" 320x180
}

# After SIGKILL systemd starts it again, and it works.
comes_back() {
    local killed
    killed=$(property MainPID)
    kill -KILL "$killed"
    until_true is_back "$killed"
    [ "$(property NRestarts)" -ge 1 ]
    until_true still_by_curl "$camera" 320x180
}

# is_back PID: another process than PID serves.
is_back() {
    curl -s -m 900 --unix-socket "$socket" http://localhost/healthz &&
        [ "$(property MainPID)" -ne "$1" ] && [ "$(property ActiveState)" = active ]
}

# The service stops by itself, and leaves nothing behind.
stops() {
    [ "$(property ActiveState)" = active ]
    stop_cleanly
    [ ! -e "$socket" ]
    [ -d "$spool/.incoming" ]
    [ -z "$(find "$spool/.incoming" -type f)" ]
}

# stop_cleanly: a stop ends with success, and systemd had nothing to end that did not end by itself. How long it took is
# printed, by systemd's journal: under emulation systemctl itself takes a second or two to begin. It has no line for the
# beginning where the service still starts.
stop_cleanly() {
    local since=$EPOCHSECONDS asked=$EPOCHREALTIME
    systemctl stop tintyped.service
    journalctl --sync
    journalctl --unit tintyped.service --since "@$since" --no-pager --output short-unix | awk -v began="$asked" '
        / systemd\[1\]: Stopping tintyped/ { began = $1 }
        / systemd\[1\]: Stopped tintyped/ { printf "stopped after %d ms\n", ($1 - began) * 1000 }'
    [ "$(property ActiveState) $(property Result)" = "inactive success" ]
    if journalctl --unit tintyped.service --since "@$since" --no-pager | grep -E 'Failed with result|timed out'; then return 1; fi
}

# How often systemd has found that the daemon does not answer.
watchdog_timeouts() {
    journalctl --sync
    journalctl --unit tintyped.service --no-pager --output cat | grep -c 'Watchdog timeout' || true
}

# The Swift runtime has a voice of its own.
writes_nothing_else() { if journalctl --no-pager | grep -F 'Failed to set thread priority'; then return 1; fi; }
