#!/bin/sh
# Creates a certificate authority, and a certificate for each machine, for the traffic between the machines.
# Usage: sh certificates.sh FOLDER one=10.0.0.1 two=10.0.0.2 three=10.0.0.3
# Afterwards copy the files in FOLDER/one to /etc/taps/tls on machine one, and keep FOLDER/ca.key offline.
set -eu
DAYS=3650
umask 077
mkdir -p "$1"
cd "$1"
shift
if [ ! -e ca.key ]; then
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc -days $DAYS -subj '/CN=TAPS machines' \
		-addext 'basicConstraints=critical,CA:TRUE' -addext 'keyUsage=critical,keyCertSign' \
		-keyout ca.key -out ca.crt 2>openssl.log
fi
for machine in "$@"; do
	name=${machine%%=*}
	address=${machine#*=}
	mkdir -p "$name"
	openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc -subj "/CN=$name" \
		-keyout "$name/machine.key" -out "$name/machine.csr" 2>>openssl.log
	# The game and etcdctl connect to their own machine at 127.0.0.1.
	printf '%s\n' "subjectAltName=DNS:$name,DNS:localhost,IP:$address,IP:127.0.0.1" \
		'extendedKeyUsage=serverAuth,clientAuth' >"$name/extensions"
	openssl x509 -req -in "$name/machine.csr" -CA ca.crt -CAkey ca.key -days $DAYS \
		-extfile "$name/extensions" -out "$name/machine.crt" 2>>openssl.log
	rm "$name/machine.csr" "$name/extensions"
	cp ca.crt "$name/"
done
rm -f openssl.log
