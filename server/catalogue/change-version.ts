import type { Clock } from '@/lib/clock/clock';
import { isJsonObject, type JsonValue, stringAt } from '@/lib/json/json';
import type { VersionChangePreview, VersionChangeRequest } from '@/lib/kudo/package/catalogue';
import { gateWishes } from '@/lib/kudo/runs/run-request';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { movedInstance } from '@/lib/kudo/upgrades/moved-instance';
import { problemsOf } from '@/lib/kudo/upgrades/parameter-rows';
import { SECRET_MARK } from '@/lib/live/secret-mark';
import { topics } from '@/lib/live/topic';
import { Refusal } from '@/server/http/problem';
import { moveInstance } from '@/server/instances/move-instance';
import { readWishes } from '@/server/instances/parse-edit';
import { previewEffects } from '@/server/instances/preview-plan';
import { type InstanceKey, readInstance } from '@/server/instances/read-instance';
import type { Api } from '@/server/kube/api';
import type { PackageCatalogue } from '@/server/packages/catalogue';
import { installVersions } from '@/server/packages/install';
import { type PreparedInstall, prepareInstall } from '@/server/packages/prepare-install';
import { readSources } from '@/server/parameters/read-sources';
import { withReadValues } from '@/server/parameters/with-read-values';
import { previewChange } from '@/server/preconditions/preview-change';
import { compareVersionObjects } from './compare-versions';
import { findCataloguePackage } from './find-package';

/** What a version change works with. */
export interface VersionContext {
  readonly api: Api;
  readonly catalogue: PackageCatalogue;
  readonly clock: Pick<Clock, 'now'>;
}

/** Out of a request's body. @throws Refusal 422 with the fields that are wrong */
export function parseVersionWish(body: JsonValue | undefined): VersionChangeRequest {
  const operatorVersion = stringAt(body, 'operatorVersion') ?? '';
  const given = isJsonObject(body) && isJsonObject(body.parameters) ? body.parameters : {};
  const parameters: { [name: string]: string | null } = {};
  const causes = operatorVersion === '' ? [{ field: 'operatorVersion', message: 'is required' }] : [];
  for (const [name, value] of Object.entries(given)) {
    if (typeof value === 'string' || value === null) parameters[name] = value;
    else causes.push({ field: name, message: 'must be a text, whatever its type' });
  }
  if (causes.length > 0) throw new Refusal(422, 'Invalid', 'The version change is not complete.', causes);
  const confirm = stringAt(body, 'confirm');
  const wishes = readWishes(body);
  const { reason, preview } = wishes;
  return {
    ...{ operatorVersion, parameters },
    ...(confirm === undefined ? {} : { confirm }),
    ...(reason === undefined ? {} : { reason }),
    ...(preview === undefined ? {} : { preview }),
    ...gateWishes(wishes),
  };
}

/**
 * What moving an Instance to a version would do. Nothing is written.
 *
 * @throws Refusal 404 without such a version; TerminalError `NotFound` without the Instance
 */
export async function previewVersionChange(
  context: VersionContext,
  key: InstanceKey,
  wish: VersionChangeRequest,
): Promise<VersionChangePreview> {
  const change = await readChange(context, key, wish);
  const { instance, current, target, prepared } = change;
  const edit = { operatorVersion: target, parameters: wish.parameters, ...gateWishes(wish) };
  const decision = await previewChange(context.api, instance, current, edit);
  const problems = wrongParameters(change, wish);
  const reads = await readSources(context.api, [instance]);
  // A value that the person may not read is the same text before and after, so that it does not look changed.
  const [before = instance, next = instance] = [
    instance,
    movedInstance(change.instance, change.target, wish.parameters),
  ].map((one) => withReadValues(one, reads, SECRET_MARK));
  const objects = await compareVersionObjects(context, { ...change, instance: before, next, plan: decision.plan });
  const effects = await previewEffects(context.api, { instance, operatorVersion: current }, { edit }, context.clock);
  return {
    outcome: decision.outcome,
    plan: decision.plan,
    message: decision.message,
    confirmation: decision.confirmation,
    warnings: [...decision.warnings, ...objects.warnings],
    installs: prepared === undefined ? [] : installedObjects(prepared),
    objects: objects.changes,
    unchanged: objects.unchanged,
    leftOver: objects.leftOver,
    restarts: effects.restarts,
    renderProblems: [...new Set([...objects.problems, ...effects.problems])],
    problems,
    token: effects.token,
  };
}

/**
 * Moves an Instance to a version with the person's own authority. A version that the namespace does not have is installed first, with
 * what it depends on; what exists is left as it is.
 *
 * @returns the plan that starts, and the UID of its execution where that is known
 * @throws Refusal 404 without such a version, 422 with the parameters that are wrong; TerminalError `Invalid` when the move is refused
 */
export async function changeVersion(
  context: VersionContext,
  key: InstanceKey,
  wish: VersionChangeRequest,
  signal: AbortSignal,
): Promise<{ plan: string | undefined; uid?: string | undefined }> {
  const change = await readChange(context, key, wish);
  const causes = wrongParameters(change, wish);
  if (causes.length > 0) throw new Refusal(422, 'Invalid', 'Some parameters are wrong.', causes);
  if (change.prepared !== undefined) await installVersions(context.api, change.prepared, { signal, ownCrds: 'try' });
  return moveInstance(context.api, key, wish);
}

/** An Instance, the version that it has, and the one that it gets. */
export interface VersionChange {
  readonly instance: Instance;
  readonly current: OperatorVersion;
  readonly target: OperatorVersion;
  /** What has to be created first; undefined when the namespace has the version. */
  readonly prepared: PreparedInstall | undefined;
}

async function readChange(
  { api, catalogue }: VersionContext,
  key: InstanceKey,
  wish: VersionChangeRequest,
): Promise<VersionChange> {
  const { instance, operatorVersion: current } = await readInstance(api, key);
  if (current === undefined) {
    const name = instance.spec?.operatorVersion?.name ?? '';
    throw new Refusal(404, 'NotFound', `OperatorVersion ${name} of instance ${key.name} does not exist.`);
  }
  const at = { ...topics.operatorVersions, namespace: key.namespace, name: wish.operatorVersion };
  const installed = (await api.get(at)) as OperatorVersion | undefined;
  if (installed !== undefined) return { instance, current, target: installed, prepared: undefined };
  const operator = current.spec?.operator?.name ?? '';
  const version = wish.operatorVersion.startsWith(`${operator}-`)
    ? wish.operatorVersion.slice(operator.length + 1)
    : '';
  const { loaded } = await findCataloguePackage(catalogue, { name: operator, version });
  const prepared = await prepareInstall({
    loaded,
    context: { catalogue, scope: loaded.scope },
    namespace: key.namespace,
    instance: key.name,
  });
  return { instance, current, target: prepared.operatorVersion, prepared };
}

function wrongParameters(change: VersionChange, wish: VersionChangeRequest): { field: string; message: string }[] {
  const next = movedInstance(change.instance, change.target, wish.parameters);
  return problemsOf(change.target, next).map(({ path, message }) => ({ field: path, message }));
}

function installedObjects({ operatorVersion, dependencies }: PreparedInstall): string[] {
  return [...dependencies.map((each) => each.operatorVersion), operatorVersion].map(
    ({ metadata }) => `OperatorVersion ${metadata.name ?? ''}`,
  );
}
