import { mariadb, PIKA, postgres, RABBITMQ } from './database-images';
import { BASE, type ImageDefinition, PATH } from './image-definition';

const ETCD = { ...BASE, suite: 'trixie', packages: ['etcd-server', 'etcd-client', 'libc6'] } as const;
const ETCD_LINKS =
  'mkdir -p "$ROOT/usr/local/bin" && for name in "$ROOT"/usr/bin/etcd*; do ln -s "../../bin/$(basename "$name")" "$ROOT/usr/local/bin/"; done';

/** What the package's own script does. */
const AUTHORITIES =
  'mkdir -p "$ROOT/etc/ssl/certs" && cat "$ROOT"/usr/share/ca-certificates/*/*.crt > "$ROOT/etc/ssl/certs/ca-certificates.crt"';

/** The images that this node can run. Programs are Debian's, so a tag says less here than at a registry: see each `packages`. */
export const IMAGES: readonly ImageDefinition[] = [
  postgres('15', 'bookworm', ['postgres:15*']),
  postgres('17', 'trixie', ['postgres:16*', 'postgres:17*']),
  mariadb('bookworm', ['mariadb:10.11*']),
  mariadb('trixie', ['mariadb:11.*']),
  {
    ...BASE,
    references: ['prometheuscommunity/postgres-exporter:*'],
    suite: 'trixie',
    packages: ['prometheus-postgres-exporter', 'libc6'],
    programs: ['prometheus-postgres-exporter'],
    entrypoint: ['/bin/postgres_exporter'],
    finish: 'mv "$ROOT/usr/bin/prometheus-postgres-exporter" "$ROOT/usr/bin/postgres_exporter"',
  },
  {
    ...BASE,
    references: ['prom/mysqld-exporter:*'],
    suite: 'trixie',
    packages: ['prometheus-mysqld-exporter', 'libc6'],
    programs: ['prometheus-mysqld-exporter'],
    entrypoint: ['/bin/mysqld_exporter'],
    finish: 'mv "$ROOT/usr/bin/prometheus-mysqld-exporter" "$ROOT/usr/bin/mysqld_exporter"',
  },
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
