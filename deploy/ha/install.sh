#!/bin/sh
# Installs the files of this folder. Run as root on each machine, and again after an upgrade. Does not change
# your own files: /etc/taps/machine.env and the certificates in /etc/taps/tls.
set -eu
cd "$(dirname "$0")"
getent passwd taps >/dev/null || useradd --system --home-dir /var/lib/taps --shell /usr/sbin/nologin taps
install -d -m 0755 /etc/taps /etc/taps/tls
install -m 0644 patroni.yml haproxy-database.cfg haproxy-game.cfg unavailable.http /etc/taps/
install -m 0755 create-database.sh etcd-aside.sh /etc/taps/
install -m 0644 ./*.service ../taps.service /etc/systemd/system/
install -D -m 0644 -t /etc/systemd/system/taps.service.d taps.service.d/ha.conf
[ -e /etc/taps/machine.env ] || install -m 0600 machine.env /etc/taps/
