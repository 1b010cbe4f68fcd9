import { join } from 'node:path';
import { OPERATOR_VERSIONS } from '@/lib/kudo/crds/crds';
import { PLAN_METADATA_ANNOTATION } from '@/lib/kudo/names';
import type { ClosableApi } from '@/server/kube/http-api';
import { PackageCatalogue } from '@/server/packages/catalogue';
import { installVersions } from '@/server/packages/install';
import { loadPackage } from '@/server/packages/loaded-package';
import { prepareInstall } from '@/server/packages/prepare-install';
import { createOperator } from '@/test/engine/https-engine';
import { sharedPath } from '@/test/golden/shared-path';
import { projectRoot } from '@/test/programs/process';
import type { GateAction } from './gate-actions';
import { gatedOperator, nestedOperators, smallOperators } from './small-operators';

/** What users do, each time when the Instance is idle. */
export type SubjectAction =
  | { readonly do: 'install'; readonly parameters?: { readonly [name: string]: string } }
  | { readonly do: 'set'; readonly parameters: { readonly [name: string]: string } }
  | { readonly do: 'trigger'; readonly plan: string }
  /** The index of the version in the result of `prepare`. */
  | { readonly do: 'upgrade'; readonly to: number }
  | GateAction
  | { readonly do: 'delete' };

/** An operator and the life of one Instance of it. */
export interface Subject {
  readonly name: string;
  readonly actions: readonly SubjectAction[];
  /** Puts its Operators and versions into a namespace; gives the names of the OperatorVersions, oldest first. */
  prepare(api: ClosableApi, namespace: string): Promise<readonly string[]>;
}

const INSTALL: SubjectAction = { do: 'install' };
const DELETE: SubjectAction = { do: 'delete' };
const set = (parameters: { [name: string]: string }): SubjectAction => ({ do: 'set', parameters });
const trigger = (plan: string): SubjectAction => ({ do: 'trigger', plan });
const TWO = set({ VALUE: 'two' });

const LIVES: { readonly [name: string]: readonly SubjectAction[] } = {
  several: [INSTALL, TWO],
  parallel: [INSTALL],
  toggle: [INSTALL, set({ ON: 'false' }), set({ ON: 'true' })],
  again: [INSTALL, TWO],
  pipe: [INSTALL, TWO],
  cleanup: [INSTALL, DELETE],
  fails: [INSTALL, TWO],
  wrong: [INSTALL],
  upgrade: [INSTALL, { do: 'upgrade', to: 1 }],
  growing: [INSTALL, set({ SIZE: '2Gi' })],
  steps: [INSTALL],
  nested: [INSTALL, TWO],
};

const bundledDir = join(projectRoot, 'operators');

/** The small operators and the bundled ones; the published ones too where `../shared` exists. */
export function allSubjects(): readonly Subject[] {
  const small = Object.entries(smallOperators).map(([name, specs]): Subject => {
    const prepare: Subject['prepare'] = async (api, namespace) => {
      const names: string[] = [];
      for (const spec of specs) names.push(await createOperator(api, namespace, name, spec));
      return names;
    };
    return { name, prepare, actions: LIVES[name] ?? [INSTALL] };
  });
  const nested: Subject = {
    name: 'nested',
    actions: LIVES.nested ?? [],
    async prepare(api, namespace) {
      const names: string[] = [];
      for (const [name, spec] of Object.entries(nestedOperators)) {
        names.push(await createOperator(api, namespace, name, spec));
      }
      return names;
    },
  };
  const gated: Subject = {
    name: 'gated',
    actions: [
      INSTALL,
      { do: 'lock' },
      { do: 'break-lock', plan: 'backup' },
      { do: 'unlock' },
      { do: 'approved-start', plan: 'restore' },
      // Plan backup waits until deploy is complete.
      set({ VALUE: 'two', KEEP: 'two' }),
    ],
    async prepare(api, namespace) {
      const name = await createOperator(api, namespace, 'gated', gatedOperator);
      const annotations = { [PLAN_METADATA_ANNOTATION]: JSON.stringify({ restore: { approval: true } }) };
      await api.patch({ ...OPERATOR_VERSIONS, namespace, name }, 'merge', { metadata: { annotations } });
      return [name];
    },
  };
  const bundled = [
    packaged('hello', ['hello/1.0.0'].map(bundledPath), [INSTALL, trigger('greet')]),
    packaged('postgres', ['postgres/1.0.0', 'postgres/1.1.0'].map(bundledPath), [
      INSTALL,
      trigger('backup'),
      { do: 'upgrade', to: 1 },
      DELETE,
    ]),
    packaged('etcd', ['etcd/1.0.0', 'etcd/1.1.0'].map(bundledPath), [
      INSTALL,
      trigger('backup'),
      { do: 'upgrade', to: 1 },
      DELETE,
    ]),
    packaged('valkey', ['valkey/1.0.0', 'valkey/1.1.0'].map(bundledPath), [
      INSTALL,
      trigger('backup'),
      { do: 'upgrade', to: 1 },
      DELETE,
    ]),
    packaged('rabbitmq', ['rabbitmq/1.0.0', 'rabbitmq/1.1.0'].map(bundledPath), [
      INSTALL,
      trigger('backup'),
      { do: 'upgrade', to: 1 },
      DELETE,
    ]),
  ];
  return [...small, nested, gated, ...bundled, ...published()];
}

function published(): readonly Subject[] {
  const lives: { [name: string]: readonly SubjectAction[] } = {
    'first-operator': [INSTALL, set({ replicas: '3' })],
    cowsay: [INSTALL],
    redis: [INSTALL],
    mysql: [INSTALL, trigger('backup'), trigger('restore')],
    zookeeper: [INSTALL],
    kafka: [INSTALL],
  };
  return Object.entries(lives).flatMap(([name, actions]) => {
    const path = sharedPath(`operators/${name}/operator`);
    return path === undefined ? [] : [packaged(name, [path], actions)];
  });
}

function bundledPath(path: string): string {
  return join(bundledDir, path);
}

function packaged(name: string, paths: readonly string[], actions: readonly SubjectAction[]): Subject {
  return {
    name,
    actions,
    async prepare(api, namespace) {
      const names: string[] = [];
      for (const path of paths) {
        const loaded = await loadPackage(path);
        const context = { catalogue: new PackageCatalogue({ bundledDir }), scope: loaded.scope };
        const prepared = await prepareInstall({ loaded, context, namespace, instance: 'app', parameters: {} });
        await installVersions(api, prepared);
        names.push(prepared.operatorVersion.metadata.name ?? '');
      }
      return names;
    },
  };
}
