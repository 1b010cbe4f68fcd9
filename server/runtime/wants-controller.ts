import { messageOf } from '@/lib/errors/errors';
import type { KubeObject } from '@/lib/kube/object';
import type { ControllerMode } from '@/server/config/config';
import type { Api } from '@/server/kube/api';
import { INSTALLED_BY } from '@/server/kube/install-crds';

const INSTANCE_DEFINITION = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  resource: 'customresourcedefinitions',
  name: 'instances.kudo.dev',
} as const;

/** Whether to start the controller, and why, for a person to read. */
export interface ControllerWish {
  readonly run: boolean;
  readonly words: string;
}

/**
 * In the sandbox the controller runs unless it is switched off. On somebody's cluster it starts by itself only where Bravo
 * was installed before; an unmarked CRD may belong to a KUDO that still runs there.
 */
export async function wantsController(
  mode: ControllerMode,
  access: { readonly api: Api; readonly summary: { readonly isSandbox: boolean } },
): Promise<ControllerWish> {
  if (mode === 'off') return { run: false, words: 'off (BRAVO_CONTROLLER=off)' };
  if (mode === 'on') return { run: true, words: 'on (BRAVO_CONTROLLER=on), while it holds the lease bravo-controller' };
  if (access.summary.isSandbox) return { run: true, words: 'on' };
  let crd: KubeObject | undefined;
  try {
    crd = await access.api.get(INSTANCE_DEFINITION);
  } catch (error) {
    const way = 'BRAVO_CONTROLLER=on starts it whatever they say';
    return { run: false, words: `off: the CRDs could not be read (${messageOf(error)}); ${way}` };
  }
  if (crd === undefined)
    return { run: false, words: 'off: the CRDs are not installed (the console offers to install them)' };
  if (crd.metadata.annotations?.[INSTALLED_BY] === undefined) {
    return { run: false, words: 'off: the CRDs here are not ours; BRAVO_CONTROLLER=on takes the cluster over' };
  }
  return { run: true, words: 'on: Bravo was installed here before; it acts while it holds the lease bravo-controller' };
}
