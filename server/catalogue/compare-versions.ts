import { parseApiVersion } from '@/lib/kube/object';
import { DEPLOY_PLAN } from '@/lib/kudo/names';
import type { InstallPreview, PreviewObject } from '@/lib/kudo/package/catalogue';
import { parseGoBoolean } from '@/lib/kudo/parameters/go-scalars';
import type { ObjectChange } from '@/lib/kudo/parameters/parameter-edit';
import { effectiveValues, secretParameters } from '@/lib/kudo/parameters/parameters';
import { sourcesOf } from '@/lib/kudo/sources/parameter-source';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { SECRET_MARK } from '@/lib/live/secret-mark';
import type { VersionChange, VersionContext } from './change-version';
import { previewInstall } from './preview';

/** How the objects of an Instance differ between two versions of its operator. */
export interface VersionComparison {
  readonly changes: readonly ObjectChange[];
  readonly unchanged: number;
  /** `Kind name`. */
  readonly leftOver: readonly string[];
  readonly warnings: readonly string[];
  readonly problems: readonly string[];
}

/** A version change, the Instance with it, and the plan that it starts. */
export interface PlannedChange extends VersionChange {
  readonly next: Instance;
  readonly plan: string | undefined;
}

const NOTHING: VersionComparison = { changes: [], unchanged: 0, leftOver: [], warnings: [], problems: [] };

/**
 * Compares what the plan of the change applies with what the present version renders. The present state is that of `deploy` and of the
 * same plan, because the new version may start a plan that the present one does not have.
 */
export async function compareVersionObjects(
  { api, clock }: Pick<VersionContext, 'api' | 'clock'>,
  { instance, current, target, next, plan }: Omit<PlannedChange, 'prepared'>,
): Promise<VersionComparison> {
  if (plan === undefined) return NOTHING;
  // The same time on both sides: it must not look changed.
  const nowMs = clock.now();
  const mask = masker([current, instance], [target, next]);
  const render = async (version: OperatorVersion, of: Instance, planned: string): Promise<Rendered> => {
    const wish = {
      namespace: of.metadata.namespace ?? '',
      instance: of.metadata.name ?? '',
      parameters: of.spec?.parameters ?? {},
    };
    return renderedOf(
      version,
      of,
      await previewInstall(version, wish, { api, clock: { now: () => nowMs }, plan: planned }),
    );
  };
  const deployed = await render(current, instance, DEPLOY_PLAN);
  const same = plan === DEPLOY_PLAN ? deployed : await render(current, instance, plan);
  const after = await render(target, next, plan);
  const whole = plan === DEPLOY_PLAN ? after : await render(target, next, DEPLOY_PLAN);
  const before = new Map([...deployed.objects, ...same.objects]);
  const changes = [...after.objects].map(([id, object]) => compare(before.get(id), object, mask));
  return {
    changes: changes.filter((change) => change !== undefined),
    unchanged: changes.filter((change) => change === undefined).length,
    leftOver: [...deployed.objects]
      .filter(([id, { isDeleted }]) => !isDeleted && !after.objects.has(id) && !whole.objects.has(id))
      .map(([, { object }]) => `${object.kind} ${object.name}`),
    warnings: after.warnings,
    problems: after.problems,
  };
}

interface RenderedObject {
  readonly object: PreviewObject;
  /** `phase / step`. */
  readonly place: string;
  /** The plan removes it. */
  readonly isDeleted: boolean;
}

interface Rendered {
  /** By group, kind, namespace and name: an API version may be another one. */
  readonly objects: ReadonlyMap<string, RenderedObject>;
  readonly warnings: readonly string[];
  readonly problems: readonly string[];
}

function renderedOf(version: OperatorVersion, instance: Instance, { tasks }: InstallPreview): Rendered {
  const values = effectiveValues(version, instance);
  const parameterOf = (task: string) => version.spec?.tasks?.find(({ name }) => name === task)?.spec?.parameter ?? '';
  const objects = new Map<string, RenderedObject>();
  for (const { task, kind, phase, step, objects: own } of tasks) {
    const isOff = kind === 'Toggle' && parseGoBoolean(values.get(parameterOf(task)) ?? '') === false;
    for (const object of own) {
      const id = [parseApiVersion(object.apiVersion).group, object.kind, object.namespace, object.name].join(' ');
      objects.set(id, { object, place: `${phase} / ${step}`, isDeleted: isOff || kind === 'Delete' });
    }
  }
  return {
    objects,
    warnings: [...new Set(tasks.flatMap(({ warnings }) => warnings))],
    problems: tasks.flatMap(({ task, problem }) => (problem === undefined ? [] : [`Task ${task}: ${problem}`])),
  };
}

function compare(
  before: RenderedObject | undefined,
  after: RenderedObject,
  mask: (text: string) => string,
): ObjectChange | undefined {
  const was = before === undefined || before.isDeleted ? undefined : before.object.yaml;
  const becomes = after.isDeleted ? undefined : after.object.yaml;
  if (was === becomes) return undefined;
  return {
    kind: after.object.kind,
    name: after.object.name,
    place: after.place,
    change: was === undefined ? 'create' : becomes === undefined ? 'delete' : 'change',
    before: mask(was ?? ''),
    after: mask(becomes ?? ''),
  };
}

const SHORTEST_SECRET = 4;

/** Data of Secrets is masked already; here values of secret parameters are, wherever a template has put them. */
function masker(...states: readonly (readonly [OperatorVersion, Instance])[]): (text: string) => string {
  const secrets = states.flatMap(([version, instance]) => {
    const names = secretParameters(version);
    for (const { kind, parameter } of sourcesOf(instance.spec)) if (kind === 'Secret') names.add(parameter);
    return [...effectiveValues(version, instance)].flatMap(([name, value]) =>
      names.has(name) && value.length >= SHORTEST_SECRET ? [value] : [],
    );
  });
  return (text) => secrets.reduce((masked, secret) => masked.replaceAll(secret, SECRET_MARK), text);
}
