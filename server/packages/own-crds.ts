import { systemClock } from '@/lib/clock/clock';
import { messageOf, TerminalError } from '@/lib/errors/errors';
import { getAt, isJsonObject, type JsonValue, stringAt } from '@/lib/json/json';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import { type CrdChange, crdChange } from '@/lib/kudo/own-kinds/crd-change';
import { OWN_KIND_LABEL } from '@/lib/kudo/own-kinds/names';
import type { Api } from '@/server/kube/api';
import { codeOf } from '@/server/kube/errors';
import { awaitEstablished, CRDS } from '@/server/kube/install-crds';
import { grantController } from './grant-controller';
import type { InstallStep } from './install';

export interface OwnCrdOptions {
  /** CRDs that no operator of Bravo brought are replaced: all, or those of these names. */
  readonly adopt?: boolean | readonly string[] | undefined;
  readonly onStep?: ((step: InstallStep) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Creates or updates the CRDs of the kinds that operators bring, with the authority of whoever installs, and waits until they are served.
 * Nothing is written when one of them is refused (lib/kudo/own-kinds/crd-change).
 *
 * @throws TerminalError `CrdRefused` with what is wrong and what helps
 */
export async function installOwnCrds(
  api: Api,
  crds: readonly KubeObject[],
  options: OwnCrdOptions = {},
): Promise<void> {
  const planned: { readonly crd: KubeObject; readonly change: CrdChange }[] = [];
  for (const crd of crds) planned.push({ crd, change: await changeOf(api, crd, options) });
  for (const { change } of planned) if (change.do === 'refuse') throw new TerminalError(change.message, 'CrdRefused');
  const written = planned.filter(({ change }) => change.do === 'create' || change.do === 'update');
  for (const { crd, change } of written) {
    await write(api, crd, change.do === 'create', options.signal).catch((error: unknown) => {
      throw refused(crd, error);
    });
    report(crd, change.do === 'create' ? 'created' : 'updated', options);
  }
  for (const { crd } of written)
    await awaitEstablished(api, nameOf(crd), { clock: systemClock, signal: options.signal });
  for (const { crd, change } of planned) if (change.do === 'keep') report(crd, 'found', options);
  if (written.length > 0) {
    await api.discover({ refresh: true });
    await grantController(api, crds, options);
  }
}

/** The same for an upgrade, which needs no kinds: each CRD that is refused is reported. */
export async function tryOwnCrds(api: Api, crds: readonly KubeObject[], options: OwnCrdOptions): Promise<void> {
  for (const crd of crds) {
    try {
      await installOwnCrds(api, [crd], options);
    } catch (error) {
      if (!(error instanceof TerminalError)) throw error;
      const step = { did: 'refused', kind: 'CustomResourceDefinition', namespace: '', name: nameOf(crd) } as const;
      options.onStep?.({ ...step, message: error.message });
    }
  }
}

async function changeOf(
  api: Api,
  crd: KubeObject,
  { adopt: adopted = false, signal }: OwnCrdOptions,
): Promise<CrdChange> {
  const adopt = typeof adopted === 'boolean' ? adopted : adopted.includes(nameOf(crd));
  const options = signal === undefined ? {} : { signal };
  try {
    return crdChange(await api.get({ ...CRDS, name: nameOf(crd) }, options), crd, { adopt });
  } catch (error) {
    if (codeOf(error) !== 403) throw error;
    // Who may not read CRDs can still use the kinds that an administrator has installed.
    if (await isServed(api, crd)) return { do: 'keep' };
    throw refused(crd, error);
  }
}

async function isServed(api: Api, crd: KubeObject): Promise<boolean> {
  const { resources } = await api.discover();
  const group = stringAt(crd.spec, 'group');
  const kind = stringAt(crd.spec, 'names', 'kind');
  return resources.some((each) => each.group === group && each.kind === kind);
}

async function write(api: Api, crd: KubeObject, isNew: boolean, signal: AbortSignal | undefined): Promise<void> {
  if (isNew) {
    await api.create(CRDS, crd, { signal });
    return;
  }
  const { labels = {}, annotations = {} } = crd.metadata;
  const spec = isJsonObject(crd.spec) ? crd.spec : {};
  const patch = {
    metadata: { labels, annotations },
    spec: { ...spec, conversion: { strategy: 'None', webhook: null } },
  };
  await api.patch({ ...CRDS, name: nameOf(crd) }, 'merge', patch as JsonValue, { signal });
}

function report(crd: KubeObject, did: InstallStep['did'], { onStep }: OwnCrdOptions): void {
  onStep?.({ did, kind: 'CustomResourceDefinition', namespace: '', name: nameOf(crd) });
}

/** A refused write, with what to ask for. */
function refused(crd: KubeObject, error: unknown): unknown {
  if (codeOf(error) !== 403) return error;
  const operator = String(getAt(crd.metadata, 'labels', OWN_KIND_LABEL) ?? '');
  const message = `CRD ${nameOf(crd)}, a kind of operator ${operator}, cannot be installed: ${messageOf(error)} Ask an administrator to install the operator once, or for the right to get, create and patch customresourcedefinitions.apiextensions.k8s.io; or install it without its kinds (--skip-crds).`;
  return new TerminalError(message, 'CrdRefused', { cause: error });
}
