import { BASE, type ImageDefinition, PATH } from './image-definition';

/** PostgreSQL of a major version. */
export function postgres(
  major: string,
  suite: ImageDefinition['suite'],
  references: readonly string[],
): ImageDefinition {
  return {
    ...BASE,
    references,
    suite,
    packages: [
      `postgresql-${major}`,
      'bash',
      'dash',
      'coreutils',
      'grep',
      'sed',
      'gzip',
      'tar',
      'findutils',
      'util-linux',
      'mawk',
      'base-files',
      'hostname',
      'zstd',
    ],
    entrypoint: ['docker-entrypoint.sh'],
    command: ['postgres'],
    env: {
      PATH: `/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/usr/lib/postgresql/${major}/bin`,
      LANG: 'C.UTF-8',
      PG_MAJOR: major,
      PGDATA: '/var/lib/postgresql/data',
    },
    stopSignal: 'INT',
    users: ['postgres:x:999:999::/var/lib/postgresql:/bin/bash'],
    launchers: { '/usr/local/bin/docker-entrypoint.sh': 'postgres.sh' },
    // The compiler of expressions needs 100 MB of libraries; the server works without. The example is what the official image sets.
    finish: `set -e
rm -f "$ROOT/usr/lib/postgresql/${major}/lib/llvmjit.so"
rm -rf "$ROOT/usr/lib/postgresql/${major}/lib/bitcode"
sed -i "s/^#listen_addresses = .*/listen_addresses = '*'/" "$ROOT/usr/share/postgresql/${major}/postgresql.conf.sample"
mkdir -p "$ROOT/docker-entrypoint-initdb.d" "$ROOT/var/lib/postgresql/data" "$ROOT/run/postgresql"
chown -R 999:999 "$ROOT/var/lib/postgresql" "$ROOT/run/postgresql"
chmod 1777 "$ROOT/var/lib/postgresql/data"
chmod 3777 "$ROOT/run/postgresql"
ln -sf mawk "$ROOT/usr/bin/awk"`,
  };
}

/** MariaDB and its backups. */
export function mariadb(suite: ImageDefinition['suite'], references: readonly string[]): ImageDefinition {
  return {
    ...BASE,
    references,
    suite,
    packages: [
      'mariadb-server-core',
      'mariadb-client',
      'mariadb-backup',
      'socat',
      'bash',
      'dash',
      'coreutils',
      'grep',
      'sed',
      'gzip',
      'zstd',
      'tar',
      'findutils',
      'util-linux',
      'mawk',
      'base-files',
      'hostname',
    ],
    entrypoint: ['docker-entrypoint.sh'],
    command: ['mariadbd'],
    env: { PATH, LANG: 'C.UTF-8' },
    users: ['mysql:x:999:999::/var/lib/mysql:/bin/bash'],
    launchers: { '/usr/local/bin/docker-entrypoint.sh': 'mariadb.sh' },
    finish: `set -e
mkdir -p "$ROOT/docker-entrypoint-initdb.d" "$ROOT/var/lib/mysql" "$ROOT/run/mysqld" "$ROOT/etc/mysql/conf.d" "$ROOT/etc/mysql/mariadb.conf.d"
printf '[mariadbd]\nhost-cache-size=0\nskip-name-resolve\n!includedir /etc/mysql/conf.d/\n' > "$ROOT/etc/mysql/mariadb.cnf"
ln -sf mariadb.cnf "$ROOT/etc/mysql/my.cnf"
chown -R 999:999 "$ROOT/var/lib/mysql" "$ROOT/run/mysqld"
chmod 1777 "$ROOT/var/lib/mysql" "$ROOT/run/mysqld"
rm -rf "$ROOT/usr/share/mysql/mysql-test" "$ROOT/usr/share/mariadb/mysql-test"
ln -sf mawk "$ROOT/usr/bin/awk"`,
  };
}
/** RabbitMQ with its management plugins. */
export const RABBITMQ: ImageDefinition = {
  ...BASE,
  references: ['rabbitmq:4*'],
  suite: 'trixie',
  packages: [
    ...['rabbitmq-server', 'openssl', 'bash', 'dash', 'coreutils', 'grep', 'sed', 'gzip', 'tar', 'findutils'],
    ...['util-linux', 'mawk', 'base-files', 'hostname', 'libc-bin'],
  ],
  entrypoint: ['docker-entrypoint.sh'],
  command: ['rabbitmq-server'],
  env: {
    PATH: `/opt/rabbitmq/sbin:${PATH}`,
    RABBITMQ_DATA_DIR: '/var/lib/rabbitmq',
    RABBITMQ_HOME: '/opt/rabbitmq',
    HOME: '/var/lib/rabbitmq',
    LANG: 'C.UTF-8',
    LANGUAGE: 'C.UTF-8',
    LC_ALL: 'C.UTF-8',
  },
  users: ['rabbitmq:x:999:999::/var/lib/rabbitmq:/bin/bash'],
  launchers: { '/usr/local/bin/docker-entrypoint.sh': 'rabbitmq.sh' },
  // As in the official image with management: the programs without Debian's check of the user, two plugins, folders that any user may write.
  finish: `set -e
rm -f "$ROOT"/usr/sbin/rabbitmq* "$ROOT"/etc/rabbitmq/*
mkdir -p "$ROOT/opt/rabbitmq" "$ROOT/etc/rabbitmq/conf.d" "$ROOT/var/lib/rabbitmq" "$ROOT/var/log/rabbitmq"
ln -s ../../usr/lib/rabbitmq/bin "$ROOT/opt/rabbitmq/sbin"
echo '[rabbitmq_management,rabbitmq_prometheus].' > "$ROOT/etc/rabbitmq/enabled_plugins"
ln -sf mawk "$ROOT/usr/bin/awk"
chown -R 999:999 "$ROOT/etc/rabbitmq" "$ROOT/var/lib/rabbitmq" "$ROOT/var/log/rabbitmq"
chmod 1777 "$ROOT/etc/rabbitmq" "$ROOT/etc/rabbitmq/conf.d" "$ROOT/var/lib/rabbitmq" "$ROOT/var/log/rabbitmq"`,
};

/** A client of RabbitMQ: Python with the module pika. */
export const PIKA: ImageDefinition = {
  ...BASE,
  references: ['test/pika:1'],
  suite: 'trixie',
  packages: ['python3-pika', 'dash', 'coreutils'],
  python: true,
};
