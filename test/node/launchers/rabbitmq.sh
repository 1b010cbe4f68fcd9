#!/bin/bash
# The contract of the official image of RabbitMQ (https://hub.docker.com/_/rabbitmq), on Debian's packages.
set -eu

# As root it gives the data to the user rabbitmq, and goes on as that user.
if [[ "$1" == rabbitmq* ]] && [ "$(id -u)" = 0 ]; then
  if [ "$1" = rabbitmq-server ]; then chown -R rabbitmq /var/lib/rabbitmq; fi
  exec setpriv --reuid=999 --regid=999 --clear-groups "$0" "$@"
fi

# A host name with a domain means long names.
if [ "$(hostname)" != "$(hostname -s)" ]; then export RABBITMQ_USE_LONGNAME="${RABBITMQ_USE_LONGNAME:-true}"; fi

if [ -n "${RABBITMQ_ERLANG_COOKIE:-}" ]; then
  file=/var/lib/rabbitmq/.erlang.cookie
  if [ ! -e "$file" ]; then
    (umask 077 && echo "$RABBITMQ_ERLANG_COOKIE" >"$file")
  elif [ "$(cat "$file" 2>/dev/null)" != "$RABBITMQ_ERLANG_COOKIE" ]; then
    echo "warning: $file contents do not match RABBITMQ_ERLANG_COOKIE" >&2
  fi
fi

# RABBITMQ_DEFAULT_USER, _PASS and _VHOST are read by the server itself; guest may then come from other hosts.
if [ "$1" = rabbitmq-server ] && [ ! -e /etc/rabbitmq/conf.d/10-defaults.conf ]; then
  printf 'loopback_users.guest = false\nlog.console = true\n' >/etc/rabbitmq/conf.d/10-defaults.conf
fi
exec "$@"
