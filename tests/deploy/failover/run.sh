#!/bin/sh
# Runs the failover tests in their own namespaces. scripts/deploy.mjs calls this script.
set -eu

folder=$(mktemp -d "${TMPDIR:-/tmp}/taps-failover-XXXXXX")
trap 'echo "The failover tests failed; the logs of the machines are in $folder."' EXIT

# Node reads trusted certificates when it starts, so this script creates them before the tests run.
sh deploy/ha/certificates.sh "$folder/tls" one=10.0.0.1 two=10.0.0.2 three=10.0.0.3
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc -subj /CN=site \
	-addext subjectAltName=IP:10.0.0.101,IP:10.0.0.102,IP:10.0.0.103 \
	-keyout "$folder/tls/site.key" -out "$folder/tls/site.crt" 2>"$folder/openssl.log"
cat "$folder/tls/ca.crt" "$folder/tls/site.crt" >"$folder/trusted.crt"
export FAILOVER_FOLDER="$folder" NODE_EXTRA_CA_CERTS="$folder/trusted.crt"

# The inner shell is process 1 of the namespace, and adopts orphaned processes of lost machines.
unshare --net --mount --pid --fork --kill-child --mount-proc sh -c '"$@"; exit $?' sh \
	node node_modules/vitest/vitest.mjs run --config tests/deploy/vitest.config.ts failover

trap - EXIT
rm -r "$folder"
