#!/bin/sh
# Creates the Debian system that debian.ts boots, in $DEBIAN or /opt/debian. Needs root and debootstrap.
# Installs the packages of docs/operating.md and deploy/ha/README.md, except Node.
set -eu
DEBIAN=${DEBIAN:-/opt/debian}
one=systemd-sysv,dbus,ca-certificates,curl,git,openssl,postgresql,caddy
three=etcd-server,etcd-client,haproxy,python3-venv,ssl-cert,procps
debootstrap --variant=minbase --include=$one,$three bookworm "$DEBIAN" http://deb.debian.org/debian
chroot "$DEBIAN" python3 -m venv /opt/patroni
chroot "$DEBIAN" /opt/patroni/bin/pip install 'patroni[etcd3,psycopg3]==4.1.5'
