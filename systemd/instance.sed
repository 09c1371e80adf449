# SPDX-License-Identifier: Apache-2.0
# Makes the template tintyped@.service of tintyped.service, so that there is one sandbox to look after: tintyped@yard.service
# is a daemon of its own, with its own configuration, socket, state and spool. tintyped@.service cannot be without one of
# these: make lint looks for each.
s|^Description=.*|& (%i)|
s|^(ExecStart=[^ ]+) .*|\1 --config /etc/tintype/%i.yaml --socket /run/tintype/%i.sock --state /var/lib/tintype/%i --spool /var/lib/tintype/%i/spool|
s|^(ExecReload=[^ ]+) .*|\1 reload --socket /run/tintype/%i.sock|
s|^StateDirectory=.*|StateDirectory=tintype/%i|
