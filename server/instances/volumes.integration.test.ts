import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '@/lib/clock/clock';
import type { OperatorVersionSpec } from '@/lib/kudo/types';
import {
  createInstance,
  createNamespace,
  createOperator,
  type Engine,
  planEnds,
  startEngine,
} from '@/test/engine/https-engine';
import { previewDeletion } from './deletion-preview';
import { previewEdit } from './preview-edit';

const NS = 'demo';

const statefulSet = `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: "{{ .Name }}", annotations: {bravo.kudo.dev/grow-volumes: "true"}}
spec:
  replicas: {{ .Params.SIZE }}
  serviceName: "{{ .Name }}"
  podManagementPolicy: Parallel
  persistentVolumeClaimRetentionPolicy: {whenDeleted: Retain, whenScaled: "{{ .Params.WHEN_SCALED }}"}
  selector: {matchLabels: {app: "{{ .Name }}"}}
  template:
    metadata: {labels: {app: "{{ .Name }}"}}
    spec: {containers: [{name: db, image: busybox, command: [sleep, "9999"]}]}
  volumeClaimTemplates:
    - metadata: {name: data}
      spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: {{ .Params.STORAGE }}}}}
`;

const backups = `apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: "{{ .Name }}-backups"}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
`;

/** Names the claim of the first member only. */
const firstClaim = `{{- if ne .Params.KEEP_DATA "true" }}
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: "data-{{ .Name }}-0"}
{{- end }}
`;

const phase = (name: string, tasks: readonly string[]) => ({
  name,
  strategy: 'serial',
  steps: [{ name, tasks: [...tasks] }],
});

const spec: OperatorVersionSpec = {
  templates: { 'set.yaml': statefulSet, 'backups.yaml': backups, 'first.yaml': firstClaim },
  tasks: [
    { name: 'set', kind: 'Apply', spec: { resources: ['set.yaml'] } },
    { name: 'backups', kind: 'Apply', spec: { resources: ['backups.yaml'] } },
    { name: 'remove-set', kind: 'Delete', spec: { resources: ['set.yaml'] } },
    { name: 'remove-first', kind: 'Delete', spec: { resources: ['first.yaml'] } },
    { name: 'remove-backups', kind: 'Delete', spec: { resources: ['backups.yaml'] } },
  ],
  parameters: [
    { name: 'SIZE', default: '3', 'value-type': 'integer' },
    { name: 'WHEN_SCALED', default: 'Delete' },
    { name: 'STORAGE', default: '2Gi' },
    { name: 'KEEP_DATA', default: 'false' },
    { name: 'RESET', default: '', trigger: 'reset' },
  ],
  plans: {
    deploy: { strategy: 'serial', phases: [phase('main', ['set', 'backups'])] },
    reset: { strategy: 'serial', phases: [phase('clear', ['remove-backups']), phase('fill', ['backups'])] },
    cleanup: { strategy: 'serial', phases: [phase('stop', ['remove-set']), phase('data', ['remove-first'])] },
  },
};

describe('what happens to volumes', () => {
  let engine: Engine;
  let version: string;
  const deployed = async (name: string, parameters: { [name: string]: string } = {}) => {
    await createInstance(engine.api, NS, name, { version, parameters });
    await planEnds(engine.api, NS, name, { plan: 'deploy' });
    return { namespace: NS, name };
  };

  beforeAll(async () => {
    engine = await startEngine();
    await createNamespace(engine.api, NS);
    version = await createOperator(engine.api, NS, 'stateful', spec);
  });
  afterAll(() => engine?.stop());

  it('names before a deletion each claim that goes and each that stays, with its size', async () => {
    const preview = await previewDeletion(engine.api, await deployed('db'), systemClock);
    expect(preview.volumes).toEqual([
      { name: 'data-db-0', size: '2Gi', goes: true, because: 'Plan cleanup deletes it.' },
      { name: 'db-backups', size: '1Gi', goes: true, because: 'Instance db owns it.' },
      { name: 'data-db-1', size: '2Gi', goes: false, because: 'StatefulSet db keeps the claims of its members.' },
      { name: 'data-db-2', size: '2Gi', goes: false, because: 'StatefulSet db keeps the claims of its members.' },
    ]);
    expect(preview.problems).toEqual([]);
    expect(JSON.stringify([preview.goes, preview.stays])).not.toContain('PersistentVolumeClaim');
  });

  it('renders the cleanup plan with the parameters of the instance', async () => {
    const preview = await previewDeletion(engine.api, await deployed('kept', { KEEP_DATA: 'true' }), systemClock);
    expect(preview.volumes.filter(({ goes }) => goes).map(({ name }) => name)).toEqual(['kept-backups']);
  });

  it('names a claim that a plan deletes and creates again', async () => {
    const edit = { parameters: { RESET: 'now' }, seen: {} };
    const preview = await previewEdit(engine.api, await deployed('fresh'), edit, systemClock);
    expect(preview.volumes).toEqual([
      { name: 'fresh-backups', size: '1Gi', goes: true, because: 'Plan reset deletes it.' },
    ]);
  });

  it('names before a resize the claims of the members that it removes', async () => {
    const at = await deployed('shrinks');
    const smaller = { parameters: { SIZE: '1' }, seen: {} };
    expect((await previewEdit(engine.api, at, smaller, systemClock)).volumes).toMatchObject([
      { name: 'data-shrinks-1', size: '2Gi', goes: true },
      { name: 'data-shrinks-2', size: '2Gi', goes: true },
    ]);
    const keeping = { parameters: { SIZE: '2', WHEN_SCALED: 'Retain' }, seen: {} };
    expect((await previewEdit(engine.api, at, keeping, systemClock)).volumes).toMatchObject([
      { name: 'data-shrinks-2', goes: false },
    ]);
    const larger = { parameters: { SIZE: '4' }, seen: {} };
    expect((await previewEdit(engine.api, at, larger, systemClock)).volumes).toEqual([]);
  });

  it('names before an edit the volumes that it makes larger', async () => {
    const edit = { parameters: { STORAGE: '8Gi' }, seen: {} };
    const because = 'StatefulSet larger grows it to 8Gi. No pod restarts because of it.';
    const preview = await previewEdit(engine.api, await deployed('larger'), edit, systemClock);
    expect(preview.volumes).toEqual(
      [0, 1, 2].map((member) => ({
        ...{ name: `data-larger-${member}`, size: '2Gi', goes: false, because, growsTo: '8Gi' },
      })),
    );
  });
});
