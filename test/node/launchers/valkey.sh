#!/bin/sh
# The contract of the official image of Valkey (https://hub.docker.com/r/valkey/valkey), on Debian's packages.
set -e

# The arguments may be those of the server: "-p 6380", or a file of settings.
if [ "${1#-}" != "$1" ] || [ "${1%.conf}" != "$1" ]; then
  set -- valkey-server "$@"
fi
if [ "$1" = valkey-server ] && [ "$(id -u)" = 0 ]; then
  find . \! -user valkey -exec chown valkey '{}' +
  exec setpriv --reuid=999 --regid=999 --clear-groups "$0" "$@"
fi
if [ "$(umask)" = 0022 ]; then umask 0077; fi
exec "$@" $VALKEY_EXTRA_FLAGS
