# SPDX-License-Identifier: Apache-2.0
# Generates the template tintyped@.service from tintyped.service, so that there is one sandbox to maintain:
# tintyped@yard.service is a separate daemon with its own configuration, socket, state and spool. make lint checks that each
# of these lines is applied.
s|^Description=.*|& (%i)|
s|^(ExecStart=[^ ]+) .*|\1 --config /etc/tintype/%i.yaml --socket /run/tintype/%i.sock --state /var/lib/tintype/%i --spool /var/lib/tintype/%i/spool|
s|^(ExecReload=[^ ]+) .*|\1 reload --socket /run/tintype/%i.sock|
s|^StateDirectory=.*|StateDirectory=tintype/%i|
