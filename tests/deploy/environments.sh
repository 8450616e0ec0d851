#!/bin/sh
# Runs `npm test` in fresh clones of this checkout, in environments that other people have. Needs root on Linux,
# and minutes for each environment:
#
#   sh tests/deploy/environments.sh                                   # all environments
#   CHECK=unit sh tests/deploy/environments.sh node-26 no-ipv6        # one check, in these two
set -eu
ALL='node-20 node-22 node-24 node-26 no-ipv6 one-cpu ordinary-user root-without-namespaces foreign-settings
  foreign-owner hook crlf archive tmpdir-special tmpdir-long noexec busy'
checkout=$(cd "$(dirname "$0")/../.." && pwd)
place=
holder=
trap 'rm -rf "$place"; [ -z "$holder" ] || kill $holder' EXIT
trap 'exit 1' INT TERM HUP

# Makes an empty place that other users can enter. The folder /tmp would be hidden in the environment noexec.
open_place() {
  rm -rf "$place"
  place=$(mktemp -d /var/tmp/taps-environment-XXXXXX)
  chmod 755 "$place"
}

# Clones the checkout with its packages, and enters the clone. The arguments are options of git clone.
clone() {
  open_place
  git clone -q "$@" "$checkout" "$place/clone"
  add_packages "$place/clone"
  cd "$place/clone"
}

add_packages() {
  cp -R "$checkout/node_modules" "$1/node_modules"
}

# Runs a command without the variables of this shell. The first arguments may set variables.
plain() {
  env -i PATH="$PATH" HOME="$HOME" "$@"
}

npm_test="npm test ${CHECK:+-- $CHECK}"

on_node() {
  clone
  plain npx --yes --package="node@$1" -- sh -c "node --version; $npm_test"
}

no_ipv6() {
  clone
  plain unshare --net sh -ec "ip link set lo up; echo 1 >/proc/sys/net/ipv6/conf/all/disable_ipv6; $npm_test"
}

# Gives the clone to the user nobody, who runs the tests.
ordinary_user() {
  clone
  mkdir "$place/home"
  chown -R nobody: "$place"
  plain HOME="$place/home" setpriv --reuid=nobody --regid=nogroup --clear-groups $npm_test
}

# Root of a user namespace with all users, in which no further user namespace is allowed.
root_without_namespaces() {
  clone
  unshare --user sleep infinity &
  holder=$!
  until [ "$(readlink /proc/$holder/ns/user)" != "$(readlink /proc/self/ns/user)" ]; do sleep 0.1; done
  echo 0 0 4294967295 >"/proc/$holder/uid_map"
  echo 0 0 4294967295 >"/proc/$holder/gid_map"
  plain nsenter --user --target "$holder" --setuid 0 --setgid 0 \
    sh -ec "echo 0 >/proc/sys/user/max_user_namespaces; ! unshare --user true 2>&-; $npm_test"
}

foreign_settings() {
  clone
  settings=$(node -p "import('./server/settings.mjs').then(it => console.log(...it.SETTING_NAMES)), ''")
  set -- GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=commit.gpgsign GIT_CONFIG_VALUE_0=true LC_ALL=tr_TR.UTF-8 TZ=Asia/Tokyo
  for name in $settings PGHOST PGPORT PGUSER PGPASSWORD PGDATABASE PGOPTIONS PGSSLMODE PGPASSFILE; do
    set -- "$@" "$name=nonsense"
  done
  plain "$@" $npm_test
}

# Root runs the tests in another user's checkout, which git refuses to read.
foreign_owner() {
  clone
  chown -R nobody: .
  plain $npm_test
}

# Commits in a linked worktree, whose hook runs the tests. The tests must not change the repository.
hook() {
  clone
  git worktree add -q ../worktree
  add_packages ../worktree
  cat >.git/hooks/pre-commit <<END
state() { git status --porcelain; git log --all --format=%H; git tag; git config --local --list; }
before=\$(state)
$npm_test && [ "\$(state)" = "\$before" ]
END
  chmod +x .git/hooks/pre-commit
  plain git -C ../worktree -c user.name=a -c user.email=a@example.org commit -q --allow-empty -m 'run the hook'
}

# A source archive, on a machine without git.
archive() {
  open_place
  mkdir "$place/clone"
  git -C "$checkout" archive HEAD | tar -x -C "$place/clone"
  add_packages "$place/clone"
  cd "$place/clone"
  plain unshare --mount sh -ec "mount --bind /dev/null '$(command -v git)'; $npm_test"
}

in_tmpdir() {
  clone
  mkdir "$place/$1"
  plain TMPDIR="$place/$1" $npm_test
}

# A short folder, which the tests use themselves.
tmpdir_special() {
  clone
  plain unshare --mount sh -ec "mount -t tmpfs -o mode=1777 none /tmp; mkdir '/tmp/a ü'; TMPDIR='/tmp/a ü' $npm_test"
}

noexec() {
  clone
  plain unshare --mount sh -ec "mount -t tmpfs -o noexec,mode=1777 none /tmp; $npm_test"
}

# Three times, while three programs keep the processors busy.
busy() {
  clone
  for _ in 1 2 3; do
    while :; do :; done &
    holder="$holder $!"
  done
  for _ in 1 2 3; do plain $npm_test; done
}

run() {
  case $1 in
    node-*) on_node "${1#node-}" ;;
    no-ipv6) no_ipv6 ;;
    one-cpu) clone && plain taskset --cpu-list 0 $npm_test ;;
    ordinary-user) ordinary_user ;;
    root-without-namespaces) root_without_namespaces ;;
    foreign-settings) foreign_settings ;;
    foreign-owner) foreign_owner ;;
    hook) hook ;;
    crlf) clone --config core.autocrlf=true && plain $npm_test ;;
    archive) archive ;;
    tmpdir-special) tmpdir_special ;;
    tmpdir-long) in_tmpdir "$(printf '%070d' 0)" ;;
    noexec) noexec ;;
    busy) busy ;;
    *) echo "No environment is called $1; the environments are:" $ALL >&2 && exit 2 ;;
  esac
}

# A subshell that is tested by `if` would ignore `set -e`, so each environment runs in its own process.
if [ "${ONE-}" ]; then
  run "$1"
  exit
fi

failed=
for name in ${*:-$ALL}; do
  printf '\n== npm test: %s\n' "$name"
  ONE=1 sh "$0" "$name" || failed="$failed $name"
done
[ -z "$failed" ] || { echo "Failed in:$failed"; exit 1; }
