# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by scripts with named checks, which write the file $results in the Test Anything Protocol.
#
#   check SENTENCE COMMAND...  runs COMMAND in a subshell with errexit; $verdict is "ok" if it succeeds, else "not ok"
#   finish                     writes the plan; fails if a check failed
#
# Not in a condition, as of "if" or "&&": bash switches errexit off there.
checks=0 failures=0
: > "${results:?}"

check() {
    local sentence=$1 output=$results.output
    shift
    (
        set -e
        "$@"
    ) > "$output" 2>&1
    # shellcheck disable=SC2181
    if [ $? -eq 0 ]; then
        verdict=ok
    else
        verdict="not ok"
        failures=$((failures + 1))
    fi
    checks=$((checks + 1))
    {
        echo "$verdict $checks - $sentence"
        sed 's/^/# /' "$output"
    } | tee -a "$results"
    rm "$output"
}

finish() {
    echo "1..$checks" | tee -a "$results"
    [ "$failures" -eq 0 ]
}
