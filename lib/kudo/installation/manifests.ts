import type { KubeObject } from '@/lib/kube/object';
import { bravoCrds, kudoCrds } from '@/lib/kudo/crds/crds';
import { consoleObjects } from './console';
import { controllerObjects, systemNamespace } from './controller';
import { INSTALLED_BY, INSTANCES_CRD, LEASE_NAMESPACE, SYSTEM_NAMESPACE } from './names';
import type { InstallationOptions } from './options';
import { consoleRights, controllerRights } from './rights';
import { bravoRoles } from './roles';

export type StepName = 'crds' | 'namespace' | 'service account' | 'kudo controller' | 'console';

/** The objects of one step of an installation. */
export interface InstallationStep {
  readonly step: StepName;
  readonly objects: readonly KubeObject[];
}

/**
 * All objects of an installation, by steps in their order: the one source of `bravo init`, `deploy/manifests` and `deploy/chart`. The
 * webhook is no step: the controller registers it with a certificate that it makes itself. The namespace is made only when it is
 * the default one, the account only when it is the default one. With `namespaces` nothing is cluster-scoped: an administrator
 * has installed the CRDs and the namespaces before.
 */
export function installationSteps(options: InstallationOptions): InstallationStep[] {
  const { namespace, namespaces, console } = options;
  const isWholeCluster = namespaces.length === 0;
  const makesNamespace = isWholeCluster && namespace === SYSTEM_NAMESPACE;
  return [
    ...(isWholeCluster ? [{ step: 'crds', objects: installedCrds(namespace) } as const] : []),
    { step: 'namespace', objects: makesNamespace ? [systemNamespace(namespace)] : [] },
    {
      step: 'service account',
      objects: [
        ...(isWholeCluster ? bravoRoles() : []),
        ...controllerRights(options),
        ...(console === undefined ? [] : consoleRights(options, console)),
      ],
    },
    { step: 'kudo controller', objects: controllerObjects(options) },
    ...(console === undefined ? [] : [{ step: 'console', objects: consoleObjects(options, console) } as const]),
  ];
}

/**
 * The CRDs of KUDO's three kinds and of our own, marked as Bravo's. With a namespace, that of Instances says that the controllers keep their
 * lease there.
 */
export function installedCrds(leaseNamespace?: string): KubeObject[] {
  return [...kudoCrds(), ...bravoCrds()].map((crd) => {
    const annotations = {
      ...crd.metadata.annotations,
      [INSTALLED_BY]: 'bravo',
      ...(crd.metadata.name === INSTANCES_CRD && leaseNamespace !== undefined
        ? { [LEASE_NAMESPACE]: leaseNamespace }
        : {}),
    };
    return { ...crd, metadata: { ...crd.metadata, annotations } };
  });
}
