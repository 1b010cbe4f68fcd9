#!/bin/bash
# The contract of the official image of MariaDB (https://hub.docker.com/_/mariadb, "Environment Variables"), on Debian's packages.
set -eo pipefail

# NAME_FILE gives the value of NAME, and MYSQL_NAME that of MARIADB_NAME.
read_variable() {
  local name="MARIADB_$1" old="MYSQL_$1" value
  if [ -n "${!name:-}" ]; then value="${!name}"; else value="${!old:-}"; fi
  local file="${name}_FILE"
  if [ -n "${!file:-}" ]; then
    if [ -n "$value" ]; then
      echo >&2 "error: both $name and $file are set (but are exclusive)"
      exit 1
    fi
    value="$(< "${!file}")"
  fi
  export "$name"="$value"
  unset "$file"
}

socket=/run/mysqld/mysqld.sock

run_sql() {
  mariadb --protocol=socket --socket="$socket" -uroot "$@"
}

quote() {
  printf "'%s'" "$(printf '%s' "$1" | sed "s/\\\\/\\\\\\\\/g; s/'/\\\\'/g")"
}

start_temporary() {
  "$@" --skip-networking --socket="$socket" --wsrep-on=OFF --skip-slave-start &
  server=$!
  local left
  for left in {30..0}; do
    if mariadb-admin --socket="$socket" -uroot ping > /dev/null 2>&1; then return; fi
    sleep 1
  done
  echo >&2 'Unable to start server.'
  exit 1
}

stop_temporary() {
  kill "$server"
  wait "$server"
}

make_database() {
  if [ -z "$MARIADB_ROOT_PASSWORD$MARIADB_ALLOW_EMPTY_ROOT_PASSWORD$MARIADB_RANDOM_ROOT_PASSWORD" ]; then
    echo >&2 'Database is uninitialized and password option is not specified'
    echo >&2 '    You need to specify one of MARIADB_ROOT_PASSWORD, MARIADB_ALLOW_EMPTY_ROOT_PASSWORD and MARIADB_RANDOM_ROOT_PASSWORD'
    exit 1
  fi
  mariadb-install-db --datadir="$datadir" --rpm --auth-root-authentication-method=normal --skip-test-db > /dev/null
}

init_files() {
  local file
  for file in /docker-entrypoint-initdb.d/*; do
    case "$file" in
      *.sh) if [ -x "$file" ]; then "$file"; else . "$file"; fi ;;
      *.sql) run_sql "$MARIADB_DATABASE" < "$file" ;;
      *.sql.gz) gunzip -c "$file" | run_sql "$MARIADB_DATABASE" ;;
      *.sql.zst) zstd -dc "$file" | run_sql "$MARIADB_DATABASE" ;;
    esac
  done
}

first_start() {
  make_database
  start_temporary "$@"
  if [ -n "$MARIADB_RANDOM_ROOT_PASSWORD" ]; then
    MARIADB_ROOT_PASSWORD="$(head -c 24 /dev/urandom | base64)"
    echo "GENERATED ROOT PASSWORD: $MARIADB_ROOT_PASSWORD"
  fi
  {
    if [ -n "$MARIADB_DATABASE" ]; then echo "CREATE DATABASE IF NOT EXISTS \`$MARIADB_DATABASE\`;"; fi
    if [ -n "$MARIADB_USER" ] && [ -n "$MARIADB_PASSWORD" ]; then
      echo "CREATE USER $(quote "$MARIADB_USER")@'%' IDENTIFIED BY $(quote "$MARIADB_PASSWORD");"
      if [ -n "$MARIADB_DATABASE" ]; then
        echo "GRANT ALL ON \`${MARIADB_DATABASE//_/\\_}\`.* TO $(quote "$MARIADB_USER")@'%';"
      fi
    fi
    if [ "${MARIADB_ROOT_HOST:-%}" != localhost ]; then
      echo "CREATE USER root@$(quote "${MARIADB_ROOT_HOST:-%}") IDENTIFIED BY $(quote "$MARIADB_ROOT_PASSWORD");"
      echo "GRANT ALL ON *.* TO root@$(quote "${MARIADB_ROOT_HOST:-%}") WITH GRANT OPTION;"
    fi
  } | run_sql
  init_files
  echo "SET PASSWORD FOR root@localhost = PASSWORD($(quote "$MARIADB_ROOT_PASSWORD"))" | run_sql
  stop_temporary
  echo 'MariaDB init process done. Ready for start up.'
}

if [ "${1:0:1}" = - ]; then set -- mariadbd "$@"; fi
if [ "$1" != mariadbd ] && [ "$1" != mysqld ]; then exec "$@"; fi
datadir="$("$@" --verbose --help 2> /dev/null | awk '$1 == "datadir" { print $2; exit }')"
if [ "$(id -u)" = 0 ]; then
  mkdir -p "$datadir"
  find "$datadir" /run/mysqld \! -user mysql -exec chown mysql: '{}' +
  exec setpriv --reuid=999 --regid=999 --clear-groups "$0" "$@"
fi
for name in ROOT_HOST DATABASE USER PASSWORD ROOT_PASSWORD ALLOW_EMPTY_ROOT_PASSWORD RANDOM_ROOT_PASSWORD AUTO_UPGRADE; do read_variable "$name"; done
if [ ! -d "$datadir/mysql" ]; then
  first_start "$@"
elif [ -n "$MARIADB_AUTO_UPGRADE" ] && mariadb-upgrade --check-if-upgrade-is-needed > /dev/null 2>&1; then
  start_temporary "$@" --skip-grant-tables
  mariadb-upgrade --socket="$socket" --upgrade-system-tables
  stop_temporary
fi
exec "$@"
