#!/bin/sh
# Makes your own certificate authority, and a certificate for each machine, for connections between the
# machines.
# Usage: sh certificates.sh FOLDER one=10.0.0.1 two=10.0.0.2 three=10.0.0.3
# Copy FOLDER/one to /etc/taps/tls of machine one, and so on. Keep FOLDER/ca.key in a safe place.
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
	# 127.0.0.1 is included, because the game and etcdctl use it to reach services of their own machine.
	printf '%s\n' "subjectAltName=DNS:$name,DNS:localhost,IP:$address,IP:127.0.0.1" \
		'extendedKeyUsage=serverAuth,clientAuth' >"$name/extensions"
	openssl x509 -req -in "$name/machine.csr" -CA ca.crt -CAkey ca.key -days $DAYS \
		-extfile "$name/extensions" -out "$name/machine.crt" 2>>openssl.log
	rm "$name/machine.csr" "$name/extensions"
	cp ca.crt "$name/"
done
rm -f openssl.log
