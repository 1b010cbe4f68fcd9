/** How a container of an image runs when the pod says nothing else (the image's config). */
export interface ImageConfig {
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  readonly env: { readonly [name: string]: string };
  readonly workingDir: string;
  readonly stopSignal: string;
}

/** An image: its name, the Debian packages that its root file system is made of, and its config. */
export interface ImageDefinition extends ImageConfig {
  /** A name and a pattern of tags, in which `*` stands for any text. An image without a tag has the tag `latest`. */
  readonly references: readonly string[];
  readonly suite: 'bookworm' | 'trixie';
  readonly packages: readonly string[];
  /** The only programs that the image has; absent: all of its packages. */
  readonly programs?: readonly string[];
  /** Files of test/node/launchers, by their path in the image. */
  readonly launchers?: { readonly [path: string]: string };
  /** Lines of /etc/passwd; each user has a group of the same name and number. */
  readonly users?: readonly string[];
  /** Python's packages are kept; the other images do without. */
  readonly python?: true;
  /** Runs in a shell of this machine when the packages are unpacked, with the folder as `$ROOT`. */
  readonly finish?: string;
}

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const BASE = { entrypoint: [], command: [], env: { PATH }, workingDir: '/', stopSignal: 'TERM' } as const;

const ETCD = { ...BASE, suite: 'trixie', packages: ['etcd-server', 'etcd-client', 'libc6'] } as const;
const ETCD_LINKS =
  'mkdir -p "$ROOT/usr/local/bin" && for name in "$ROOT"/usr/bin/etcd*; do ln -s "../../bin/$(basename "$name")" "$ROOT/usr/local/bin/"; done';

/** What the package's own script does. */
const AUTHORITIES =
  'mkdir -p "$ROOT/etc/ssl/certs" && cat "$ROOT"/usr/share/ca-certificates/*/*.crt > "$ROOT/etc/ssl/certs/ca-certificates.crt"';

function postgres(major: string, suite: ImageDefinition['suite'], references: readonly string[]): ImageDefinition {
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

const RABBITMQ: ImageDefinition = {
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
const PIKA: ImageDefinition = {
  ...BASE,
  references: ['test/pika:1'],
  suite: 'trixie',
  packages: ['python3-pika', 'dash', 'coreutils'],
  python: true,
};

/** The images that this node can run. Programs are Debian's, so a tag says less here than at a registry: see each `packages`. */
export const IMAGES: readonly ImageDefinition[] = [
  postgres('15', 'bookworm', ['postgres:15*']),
  postgres('17', 'trixie', ['postgres:16*', 'postgres:17*']),
  RABBITMQ,
  PIKA,
  {
    ...ETCD,
    // As the image of Kubernetes: a shell and nothing that a shell needs.
    references: ['registry.k8s.io/etcd:*'],
    packages: [...ETCD.packages, 'dash'],
    programs: ['dash', 'sh', 'etcd', 'etcdctl'],
    finish: ETCD_LINKS,
  },
  {
    ...ETCD,
    // As the official image since 3.5.7: no shell.
    references: ['gcr.io/etcd-development/etcd:*', 'quay.io/coreos/etcd:*'],
    programs: ['etcd', 'etcdctl', 'etcdutl'],
    command: ['/usr/local/bin/etcd'],
    finish: ETCD_LINKS,
  },
  {
    ...BASE,
    // Tags that exist at the registry and that a package could name; a node without a registry has no `latest`.
    references: ['busybox:1.*'],
    suite: 'trixie',
    packages: ['busybox-static'],
    command: ['sh'],
    finish: 'chroot "$ROOT" /usr/bin/busybox --install -s',
  },
  {
    ...BASE,
    // As the official one: Alpine's shell and programs are busybox.
    references: ['rclone/rclone:1.*'],
    suite: 'trixie',
    packages: ['rclone', 'busybox-static', 'ca-certificates'],
    entrypoint: ['rclone'],
    env: { PATH, XDG_CONFIG_HOME: '/config' },
    workingDir: '/data',
    finish: `set -e
${AUTHORITIES}
mkdir -p "$ROOT/data" "$ROOT/config" "$ROOT/usr/local/bin"
mv "$ROOT/usr/bin/rclone" "$ROOT/usr/local/bin/rclone"
chroot "$ROOT" /usr/bin/busybox --install -s`,
  },
  {
    ...BASE,
    // An S3 server for tests: it checks keys, signatures and policies as AWS does after INITIAL_NO_AUTH_ACTION_COUNT requests. It compares
    // a signature with the decoded query, which only a query without special characters survives: that line is corrected.
    references: ['motoserver/moto:5.*'],
    suite: 'trixie',
    packages: ['python3-moto', 'python3-flask-cors', 'ca-certificates'],
    python: true,
    entrypoint: ['/usr/bin/python3', '-m', 'moto.server', '-H', '0.0.0.0'],
    finish: `set -e
${AUTHORITIES}
sed -i 's/^\\( *\\)path += "?" + parsed_url.query$/\\1from urllib.parse import parse_qsl, quote, urlencode\\n\\1path += "?" + urlencode(parse_qsl(parsed_url.query, True), quote_via=quote, safe="-_.~")/' \\
  "$ROOT/usr/lib/python3/dist-packages/moto/core/responses.py"
grep -q quote_via "$ROOT/usr/lib/python3/dist-packages/moto/core/responses.py"`,
  },
  {
    ...BASE,
    references: ['valkey/valkey:8*'],
    suite: 'trixie',
    packages: [
      ...[
        'valkey-server',
        'valkey-tools',
        'bash',
        'dash',
        'coreutils',
        'grep',
        'sed',
        'findutils',
        'util-linux',
        'mawk',
      ],
      ...['gzip', 'tar', 'base-files', 'hostname'],
    ],
    entrypoint: ['docker-entrypoint.sh'],
    command: ['valkey-server'],
    workingDir: '/data',
    users: ['valkey:x:999:999::/home/valkey:/bin/sh'],
    launchers: { '/usr/local/bin/docker-entrypoint.sh': 'valkey.sh' },
    finish: 'mkdir -p "$ROOT/data" && chown 999:999 "$ROOT/data" && ln -sf mawk "$ROOT/usr/bin/awk"',
  },
  {
    ...BASE,
    // As the official one: the program and nothing else.
    references: ['oliver006/redis_exporter:v1.*'],
    suite: 'trixie',
    packages: ['prometheus-redis-exporter'],
    programs: ['prometheus-redis-exporter'],
    entrypoint: ['/redis_exporter'],
    finish: 'ln -sf usr/bin/prometheus-redis-exporter "$ROOT/redis_exporter"',
  },
  {
    ...BASE,
    references: ['nginx:1.*'],
    suite: 'trixie',
    packages: ['nginx-light', 'dash', 'coreutils', 'base-files'],
    command: ['nginx', '-g', 'daemon off;'],
    stopSignal: 'QUIT',
    users: ['www-data:x:33:33::/var/www:/usr/sbin/nologin'],
    finish:
      'ln -sf ../sites-available/default "$ROOT/etc/nginx/sites-enabled/default"; sed -i "s#/var/www/html#/usr/share/nginx/html#" "$ROOT/etc/nginx/sites-available/default"; mkdir -p "$ROOT/var/lib/nginx"',
  },
];

/** The definition of an image as a pod names it: `postgres:17.2`, `docker.io/library/busybox:1.37`, `…@sha256:…`. */
export function findImage(reference: string, table: readonly ImageDefinition[] = IMAGES): ImageDefinition | undefined {
  const withoutDigest = reference.replace(/@sha256:[0-9a-f]+$/, '');
  const short = withoutDigest.replace(/^docker\.io\//, '').replace(/^library\//, '');
  const tagged = /:[^/]+$/.test(short) ? short : `${short}:latest`;
  return table.find(({ references }) => references.some((pattern) => matches(pattern, tagged)));
}

function matches(pattern: string, text: string): boolean {
  const [before = '', after] = pattern.split('*');
  return after === undefined ? text === pattern : text.startsWith(before) && text.endsWith(after);
}
