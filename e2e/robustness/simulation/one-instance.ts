import type { KubeObject } from '@/lib/kube/object';
import { INSTANCES, OPERATOR_VERSIONS } from '@/lib/kudo/crds/crds';
import type { Instance } from '@/lib/kudo/types';
import { isAtRest } from './at-rest';
import { plainScript } from './plain-script';
import { FIRST_VERSION, INSTANCE, instanceOf, operatorsOf } from './script-objects';
import type { Simulation } from './simulation';
import { templatesOf } from './templates';

const namespace = 'default';
const VERSIONS = { ...OPERATOR_VERSIONS, namespace };
const KEY = { ...INSTANCES, namespace, name: INSTANCE };
const OWN = { group: '', version: 'v1', resource: 'configmaps', namespace, name: `${INSTANCE}-deploy-own` };

/** One Instance whose deploy plan creates one ConfigMap, and what users do to it. */
export interface OneInstance {
  /** Resolves with true when no plan runs and none is requested. */
  comesToRest(): Promise<boolean>;
  setParameter(value: string): Promise<unknown>;
  editVersion(edition: string): Promise<unknown>;
  /** The ConfigMap that the plan created. */
  own(): KubeObject | undefined;
}

/** Creates the operator and the Instance; the caller starts controllers. */
export async function oneInstance({ sandbox, people, scheduler }: Simulation): Promise<OneInstance> {
  const script = plainScript(namespace, 'own');
  const { operators, versions } = operatorsOf(script);
  for (const operator of operators) sandbox.api.create({ ...VERSIONS, resource: 'operators' }, operator);
  for (const version of versions) sandbox.api.create(VERSIONS, version);
  await people.create({ ...INSTANCES, namespace }, instanceOf(script));
  return {
    comesToRest: () => scheduler.until(() => isAtRest(sandbox.api.get(KEY) as Instance | undefined), 300_000),
    setParameter: (value) => people.patch(KEY, 'merge', { spec: { parameters: { A: value } } }),
    editVersion: (edition) =>
      people.patch({ ...VERSIONS, name: FIRST_VERSION }, 'merge', { spec: { templates: templatesOf(edition) } }),
    own: () => sandbox.api.get(OWN),
  };
}
