#!/bin/bash
# The contract of the official image of PostgreSQL (https://hub.docker.com/_/postgres, "How to extend this image"), on Debian's packages.
set -Eeo pipefail

# NAME_FILE gives the value of NAME.
read_file() {
  local file="$1_FILE"
  if [ -n "${!1:-}" ] && [ -n "${!file:-}" ]; then
    echo >&2 "error: both $1 and $file are set (but are exclusive)"
    exit 1
  fi
  if [ -n "${!file:-}" ]; then export "$1"="$(< "${!file}")"; fi
  unset "$file"
}

make_database() {
  if [ -z "$POSTGRES_PASSWORD" ] && [ "$POSTGRES_HOST_AUTH_METHOD" != trust ]; then
    echo >&2 "Error: Database is uninitialized and superuser password is not specified."
    echo >&2 "       You must specify POSTGRES_PASSWORD to a non-empty value for the superuser."
    exit 1
  fi
  local wal=()
  if [ -n "${POSTGRES_INITDB_WALDIR:-}" ]; then wal=(--waldir "$POSTGRES_INITDB_WALDIR"); fi
  eval 'initdb --username="$POSTGRES_USER" --pwfile=<(printf "%s\n" "$POSTGRES_PASSWORD") "${wal[@]}" '"$POSTGRES_INITDB_ARGS"
  printf '\nhost all all all %s\n' "${POSTGRES_HOST_AUTH_METHOD:-scram-sha-256}" >> "$PGDATA/pg_hba.conf"
}

run_sql() {
  PGHOST='' PGHOSTADDR='' psql -v ON_ERROR_STOP=1 --username "$POSTGRES_USER" --no-password --no-psqlrc "$@"
}

init_files() {
  local file
  for file in /docker-entrypoint-initdb.d/*; do
    case "$file" in
      *.sh) if [ -x "$file" ]; then "$file"; else . "$file"; fi ;;
      *.sql) run_sql --dbname "$POSTGRES_DB" -f "$file" ;;
      *.sql.gz) gunzip -c "$file" | run_sql --dbname "$POSTGRES_DB" ;;
      *.sql.zst) zstd -dc "$file" | run_sql --dbname "$POSTGRES_DB" ;;
    esac
  done
}

first_start() {
  make_database
  export PGPASSWORD="${PGPASSWORD:-$POSTGRES_PASSWORD}"
  # Only over the socket: clients see the server when it is complete.
  NOTIFY_SOCKET='' pg_ctl -D "$PGDATA" -o "$(printf '%q ' "${@:2}" -c listen_addresses='' -p "${PGPORT:-5432}")" -w start
  if [ "$POSTGRES_DB" != postgres ]; then
    run_sql --dbname postgres --set db="$POSTGRES_DB" <<< 'CREATE DATABASE :"db";'
  fi
  init_files
  pg_ctl -D "$PGDATA" -m fast -w stop
  unset PGPASSWORD
  echo 'PostgreSQL init process complete; ready for start up.'
}

if [ "${1:0:1}" = '-' ]; then set -- postgres "$@"; fi
if [ "$1" != postgres ]; then exec "$@"; fi
if [ "$(id -u)" = 0 ]; then
  mkdir -p "$PGDATA"
  chmod 700 "$PGDATA"
  find "$PGDATA" /run/postgresql \! -user postgres -exec chown postgres '{}' +
  exec setpriv --reuid=999 --regid=999 --clear-groups "$0" "$@"
fi
mkdir -p "$PGDATA"
chmod 00700 "$PGDATA" || :
for name in POSTGRES_PASSWORD POSTGRES_USER POSTGRES_DB POSTGRES_INITDB_ARGS; do read_file "$name"; done
export POSTGRES_USER="${POSTGRES_USER:-postgres}"
export POSTGRES_DB="${POSTGRES_DB:-$POSTGRES_USER}"
if [ -s "$PGDATA/PG_VERSION" ]; then
  echo 'PostgreSQL Database directory appears to contain a database; Skipping initialization'
else
  first_start "$@"
fi
exec "$@"
