import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stringAt } from '@/lib/json/json';
import { readYaml } from '@/lib/yaml/yaml';
import { projectRoot } from '@/server/runtime/root';
import { TestCluster } from '@/server/sandbox/testing/test-cluster';
import { resources } from '@/server/sandbox/workloads/core/resources';

const folder = join(projectRoot, 'operators');

/** `operator/version` → the text of its templates/target.yaml. */
function copies(): Map<string, string> {
  const texts = new Map<string, string>();
  for (const operator of readdirSync(folder)) {
    for (const version of readdirSync(join(folder, operator))) {
      const file = join(folder, operator, version, 'templates/target.yaml');
      if (existsSync(file)) texts.set(`${operator}/${version}`, readFileSync(file, 'utf8'));
    }
  }
  return texts;
}

/** A backup on a volume, as a Job takes it: the name is the time at which it begins. */
const TAKE_BACKUP = `
folder="$STAGING/$OPERATOR-$(date -u +%Y%m%dT%H%M%SZ)"
mkdir -p "$folder"
echo data > "$folder/data"
sh /scripts/target.sh store
`;
const SETTINGS = {
  OPERATOR: 'etcd',
  INSTANCE: 'i',
  TARGET: 'volume',
  STAGING: '/backups/.staging',
  ENCRYPTION_SECRET: '',
  KEEP: '7',
  KEEP_DAYS: '0',
};

/** What a pod of the sandbox prints that runs a script beside target.sh. */
async function printedBy(script: string): Promise<string> {
  const read = readYaml((copies().get('etcd/1.1.0') ?? '').replaceAll('{{ .Name }}', 'i'));
  const target = read.ok ? stringAt({ read: read.value }, 'read', 'data', 'target.sh') : undefined;
  const cluster = new TestCluster({ podDelayMs: 1_000 });
  cluster.create(resources.configmaps, {
    metadata: { name: 'target', namespace: 'demo' },
    data: { 'target.sh': target ?? '' },
  });
  const mounts = { scripts: '/scripts', backups: '/backups' };
  const container = {
    name: 'app',
    image: 'debian',
    command: ['sh', '-ec', `${script}\nls /backups > /dev/termination-log`],
    env: Object.entries(SETTINGS).map(([name, value]) => ({ name, value })),
    volumeMounts: Object.entries(mounts).map(([name, mountPath]) => ({ name, mountPath })),
  };
  const volumes = [
    { name: 'scripts', configMap: { name: 'target' } },
    { name: 'backups', emptyDir: {} },
  ];
  cluster.create(resources.pods, {
    metadata: { name: 'job', namespace: 'demo' },
    spec: { restartPolicy: 'Never', containers: [container], volumes },
  });
  await cluster.advance(60_000);
  const state = ['status', 'containerStatuses', 0, 'state', 'terminated'] as const;
  return stringAt(cluster.get(resources.pods, 'job'), ...state, 'message') ?? '';
}

describe('the script that keeps backups (templates/target.yaml)', () => {
  it('is the same in all bundled operators that have it', () => {
    const texts = copies();
    const wanted = texts.get('etcd/1.1.0');
    expect(wanted).toContain('target.sh: |');
    expect([...texts].filter(([, text]) => text !== wanted).map(([name]) => name)).toEqual([]);
  });

  it('gives two backups that follow each other at once two names', async () => {
    const names = (await printedBy(TAKE_BACKUP + TAKE_BACKUP)).trim().split('\n');
    expect(names).toHaveLength(2);
    for (const name of names) expect(name).toMatch(/^etcd-\d{8}T\d{6}Z$/);
  });
});
