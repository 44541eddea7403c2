#!/bin/bash
# check.sh DEB IMAGE: tries the packages as users would, in a copy of this machine's files that is
# thrown away. Root is needed, for the copy. DEB may contain a development build.
set -euo pipefail
deb=$(realpath "$1") image=$(realpath "$2")
here=$(realpath "$(dirname "$0")")
if [ -z "${INSIDE:-}" ]; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  INSIDE=$work unshare --mount --pid --fork --kill-child "$here/check.sh" "$deb" "$image"
  exit
fi
step() { echo "packages: $*"; }
fail() { echo "packages: WRONG: $*" >&2; exit 1; }

work=$INSIDE
mount -t tmpfs tmpfs "$work"
mkdir "$work"/{upper,work,root}
mount -t overlay overlay -o "lowerdir=/,upperdir=$work/upper,workdir=$work/work" "$work/root"
root=$work/root
for folder in dev proc sys; do mount --rbind "/$folder" "$root/$folder"; done
cp "$deb" "$root/kriegspiel.deb"
in_root() { chroot "$root" "$@"; }
as_club() { chroot --userspec=kriegspiel:kriegspiel "$root" env HOME=/var/lib/kriegspiel "$@"; }
port=18080 url=http://127.0.0.1:18080
wait_open() { for _ in $(seq 100); do curl -fsS $url/healthz >"$work/health" 2>&1 && return; sleep 0.1; done; cat "$work/health"; fail "the club does not open"; }
field() { grep -o "\"$2\":\"[^\"]*" <<<"$1" | head -1 | cut -d'"' -f4; }

step "dpkg -i, and the first game"
begun=$(date +%s%N)
in_root dpkg -i /kriegspiel.deb >"$work/dpkg" 2>&1 || { cat "$work/dpkg"; fail "dpkg -i"; }
install -d -o "$(in_root id -u kriegspiel)" -g "$(in_root id -g kriegspiel)" -m 700 "$root/var/lib/kriegspiel"
grep -qx 'listen = "127.0.0.1:8080"' "$root/etc/kriegspiel/club.toml" || fail "the club listens on more than this machine"
systemd-analyze --man=no --root="$root" verify kriegspiel.service kriegspiel-backup.service kriegspiel-backup.timer
systemd-analyze --offline=yes --threshold=20 --root="$root" security kriegspiel.service kriegspiel-backup.service >"$work/exposure" || { tail -1 "$work/exposure"; fail "a unit may do too much"; }
[ -L "$root/etc/systemd/system/multi-user.target.wants/kriegspiel.service" ] || fail "the club does not start with the machine"
serve() { # the ExecStart of the unit, with another port
  chroot --userspec=kriegspiel:kriegspiel "$root" $(sed -n 's/^ExecStart=//p' "$root/usr/lib/systemd/system/kriegspiel.service") --listen 127.0.0.1:$port >"$work/log" 2>&1 &
  club=$!
  wait_open
}
serve
guest=$(curl -fsS -X POST -H 'content-type: application/json' -d '{"token":true}' $url/api/guests)
token=$(field "$guest" token)
ask() { curl -fsS -X "$1" -H "authorization: Bearer $token" -H 'content-type: application/json' ${3:+-d "$3"} "$url$2"; }
game=$(field "$(ask POST /api/challenges '{"to":"random","terms":{"rules":"wild16","time":{"kind":"unlimited"},"color":"white"}}')" game)
ask POST "/api/games/$game/tries" '{"id":"1","after":1,"text":"e2e4"}' | grep -q '"moved"' || fail "the first move"
step "first move after $((($(date +%s%N) - begun) / 1000000)) ms"
[ -s "$root/usr/share/man/man1/kriegspiel-serve.1.gz" ] || fail "no manual page"
[ -s "$root/usr/share/bash-completion/completions/kriegspiel" ] || fail "no completions"
curl -fsS $url/ | grep -qi '<html' || fail "no page"
"$here/../examples/curl-game.sh" $url >"$work/game" && grep -q '^black d8h4 moved' "$work/game" || fail "a game by curl"

step "backup, and a restore in one command"
data=/var/lib/kriegspiel
in_root /usr/lib/kriegspiel/backup >/dev/null || fail "the backup"
for n in $(seq 15); do touch "$root$data/backups/club-2000-01-$(printf %02d "$n")T000000Z.db"; done
touch "$root$data/backups/club-2000-01-01T000000Z.db.new"
sleep 1.1; as_club /usr/lib/kriegspiel/backup >/dev/null || fail "a backup after one of root"
[ "$(ls "$root$data/backups" | grep -c club)" = 14 ] || fail "fourteen backups are kept"
kill $club; wait $club || true
newest=$(in_root sh -c "ls $data/backups/club-*.db" | tail -1)
restore() { in_root /usr/lib/kriegspiel/restore "$@" >"$work/restored" 2>&1; }
! restore || fail "a restore without a backup"
before=$(cat "$root$data/club.db" | sha256sum)
in_root sh -c "head -c 20000 $newest >$data/backups/bad.db"
! restore $data/backups/bad.db || fail "a damaged backup was restored"
! (ulimit -f 8; restore "$newest") || fail "a part of a backup was restored"
[ "$(cat "$root$data/club.db" | sha256sum)" = "$before" ] && [ ! -e "$root$data/club.db.new" ] || fail "a failed restore changed something"
rm "$root$data/backups/bad.db"
restore "$newest" && sleep 1.1 && restore "$newest" || { cat "$work/restored"; fail "the restore"; }
[ "$(ls "$root$data" | grep -c "before-restore-.*Z$")" = 2 ] || fail "a restore replaced the file that an earlier one had kept"
serve
ask GET "/api/games/$game" | grep -q running || fail "the game is gone after the restore"

step "an upgrade keeps games running, clocks, the settings, what is disabled, and a backup"
now() { date +%s%3N; }
clock() { ask GET "/api/games/$timed" | grep -o "\"$1\":[0-9]\+" | head -1 | cut -d: -f2; }
timed=$(field "$(ask POST /api/challenges '{"to":"random","terms":{"rules":"wild16","time":{"kind":"plain","initial":600},"color":"white"}}')" game)
ask POST "/api/games/$timed/tries" '{"id":"1","after":1,"text":"e2e4"}' >/dev/null
for _ in $(seq 100); do ask GET "/api/games/$timed" | grep -q '"running":"white"' && break; sleep 0.1; done
begun=$(clock at) left=$(clock white)
kill $club; wait $club || true
closed=$(now)
sleep 3
rm "$root$data"/backups/*
echo "# mine" >>"$root/etc/kriegspiel/club.toml"
in_root systemctl disable kriegspiel-backup.timer 2>/dev/null
in_root dpkg -i /kriegspiel.deb >"$work/dpkg" 2>&1 || { cat "$work/dpkg"; fail "the upgrade"; }
[ -e "$root$data"/backups/club-*.db ] || fail "no backup before the upgrade"
grep -qx "# mine" "$root/etc/kriegspiel/club.toml" || fail "the settings are gone after the upgrade"
[ "$(in_root systemctl is-enabled kriegspiel-backup.timer)" = disabled ] || fail "the upgrade enabled what was disabled"
serve
out=$(($(now) - closed))
ask GET "/api/games/$game" | grep -q running || fail "the game is gone after the upgrade"
n=$(ask GET "/api/games/$timed/view" | sed 's/{"n":\([0-9]*\),.*/\1/')
ask POST "/api/games/$timed/tries" "{\"id\":\"2\",\"after\":$n,\"text\":\"d2d4\"}" | grep -q '"moved"' || fail "a move after the upgrade"
charged=$((left - $(clock white))) spent=$(($(now) - begun - out))
step "the upgrade took $out ms, the clock counted $charged ms"
[ $charged -le $((spent + 500)) ] || fail "the clock counted the upgrade"
kill $club; wait $club || true

step "an older program refuses the file of a newer one"
cp "$root$data/club.db" "$work/newer.db"
python3 -c 'import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as db:
    db.execute("insert into _sqlx_migrations select 999, description, installed_on, success, checksum, execution_time from _sqlx_migrations limit 1")' "$work/newer.db"
said=$("$root/usr/bin/kriegspiel" serve --listen 127.0.0.1:$port --data "$work/newer.db" 2>&1) && fail "a newer file was opened"
grep -q 'use the program that made the tables' <<<"$said" || fail "no clear refusal: $said"

step "removal leaves the data, purge leaves nothing"
in_root dpkg -r kriegspiel >/dev/null 2>&1
[ -e "$root/var/lib/kriegspiel/club.db" ] || fail "the removal took the data"
in_root dpkg -P kriegspiel >"$work/dpkg" 2>&1 || { cat "$work/dpkg"; fail "the purge"; }
left=$(find "$work/upper" -iname '*kriegspiel*' ! -name kriegspiel.deb ! -type c | grep -v -e /var/log -e /var/cache -e /tmp || true)
[ -z "$left" ] || fail "the purge left $left"
in_root getent passwd kriegspiel >/dev/null && fail "the user is still there"

step "the image has no shell and serves"
mkdir "$work/oci" "$work/image"
tar -xf "$image" -C "$work/oci"
layer=$(grep -o '"layers": \[{.*' "$work/oci/blobs/sha256/$(grep -o 'sha256:[0-9a-f]*' "$work/oci/index.json" | cut -d: -f2)" | grep -o 'sha256:[0-9a-f]*' | cut -d: -f2)
tar -xzf "$work/oci/blobs/sha256/$layer" -C "$work/image"
found=$(find "$work/image" -type f -perm /111 ! -name '*.so*' ! -name kriegspiel)
[ -z "$found" ] || fail "the image has programs: $found"
chroot --userspec=65532:65532 "$work/image" /usr/bin/kriegspiel --version
chroot --userspec=65532:65532 "$work/image" /usr/bin/kriegspiel serve --listen 127.0.0.1:$port --data /data/club.db >"$work/log" 2>&1 &
club=$!
wait_open
kill $club; wait $club || true
# As container runtimes do.
echo "127.0.0.1 localhost" >"$work/image/etc/hosts"
# A database by name, over TLS: the name is resolved, and the connection is refused.
said=$(chroot --userspec=65532:65532 "$work/image" /usr/bin/kriegspiel serve --listen 127.0.0.1:$port --data 'postgres://u:p@localhost:1/club?sslmode=require' 2>&1 || true)
grep -qi 'refused' <<<"$said" || fail "names are not resolved in the image: $said"
step "ok"
