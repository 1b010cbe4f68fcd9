import { messageOf } from '@/lib/errors/errors';
import { nameOf } from '@/lib/kube/object';
import type { Serves } from '@/lib/kudo/deprecations/modernise';
import { childInstanceName, planNames } from '@/lib/kudo/names';
import { parseGoBoolean } from '@/lib/kudo/parameters/go-scalars';
import type { ScopeOf } from '@/lib/kudo/rendering/enhance';
import { pipeNames } from '@/lib/kudo/rendering/pipe-names';
import { type RenderedTask, renderPlan } from '@/lib/kudo/rendering/render';
import { type TemplateParameters, unwrapParameters } from '@/lib/kudo/rendering/unwrap';
import { type Instance, KUDO_API_VERSION, type OperatorVersion } from '@/lib/kudo/types';
import { keyStream, STREAM_KEY_BYTES } from '@/lib/random/key-stream';
import type { RenderEnvironment } from '@/lib/template/contract';
import { inventoryKey, keyOfObject } from './inventory';

/** The objects that the templates of a version render with the parameters of an Instance, in any plan. */
export interface RenderedNames {
  /** `inventoryKey` of every object that some plan applies. */
  readonly keys: ReadonlySet<string>;
  /** `plan/phase/step kind` where names hold chance or time: any object of that kind from there counts as rendered. */
  readonly volatile: ReadonlySet<string>;
  /** The kinds among them, each once. */
  readonly kinds: readonly { readonly apiVersion: string; readonly kind: string }[];
  /** Tasks that cannot be rendered; then it is unknown whether an object is still rendered. */
  readonly problems: readonly string[];
}

/** How a place is written in {@link RenderedNames.volatile}. */
export function volatilePlace(place: { plan: string; phase: string; step: string }, kind: string): string {
  return `${place.plan}/${place.phase}/${place.step} ${kind}`;
}

/** Renders every plan; a plan that uses random values or time is rendered twice with different ones. Sends no request. */
export function renderedNames(
  operatorVersion: OperatorVersion,
  instance: Instance,
  scopeOf: ScopeOf,
  serves?: Serves,
): RenderedNames {
  const input = { operatorVersion, instance, scopeOf, ...(serves === undefined ? {} : { serves }) };
  const keys = new Set<string>();
  const volatile = new Set<string>();
  const kinds = new Map<string, { apiVersion: string; kind: string }>();
  const problems: string[] = [];
  for (const plan of planNames(operatorVersion)) {
    try {
      const parameters = unwrapParameters(operatorVersion, instance.spec?.parameters);
      const render = (seed: string, now: number, onAsked: () => void) => {
        const environment = draftEnvironment(seed, now, onAsked);
        return renderPlan({ ...input, plan, uid: seed, parameters, environment });
      };
      let isByChance = false;
      const first = render('first', 1_600_000_000_000, () => {
        isByChance = true;
      });
      const second = isByChance ? render('second', 1_700_000_000_000, () => undefined) : first;
      for (const [index, task] of first.entries()) {
        if (task.problem !== undefined) problems.push(`${plan}, task ${task.task.name}: ${task.problem}`);
        else collect({ ...task, plan }, second[index], parameters, { keys, volatile, kinds });
      }
      for (const key of artifactsOf(operatorVersion, instance, plan)) keys.add(key);
      for (const key of childrenOf(operatorVersion, instance)) keys.add(key);
    } catch (error) {
      problems.push(`${plan}: ${messageOf(error)}`);
    }
  }
  return { keys, volatile, kinds: [...kinds.values()], problems };
}

/** `onAsked` is called whenever a template uses time or random values. */
function draftEnvironment(seed: string, nowMs: number, onAsked: () => void): RenderEnvironment {
  // A public key: of what is rendered here only names are used.
  const random = keyStream(new Uint8Array(STREAM_KEY_BYTES), seed);
  const now = () => {
    onAsked();
    return nowMs;
  };
  const bytes = (length: number) => {
    onAsked();
    return random.bytes(length);
  };
  return { clock: { now }, random: { bytes }, hasDraftKeys: true };
}

function collect(
  first: RenderedTask & { plan: string },
  second: RenderedTask | undefined,
  parameters: TemplateParameters,
  into: { keys: Set<string>; volatile: Set<string>; kinds: Map<string, { apiVersion: string; kind: string }> },
): void {
  const { kind, spec } = first.task;
  const value = parameters[spec?.parameter ?? ''];
  const isOff = kind === 'Toggle' && (typeof value !== 'string' || parseGoBoolean(value) !== true);
  if (kind === 'Delete' || kind === 'Pipe' || isOff) return;
  for (const [index, object] of (first.rendered?.objects ?? []).entries()) {
    into.keys.add(keyOfObject(object));
    into.kinds.set(`${object.apiVersion} ${object.kind}`, { apiVersion: object.apiVersion, kind: object.kind });
    const other = second?.rendered?.objects[index];
    if (other === undefined || nameOf(other) !== nameOf(object)) into.volatile.add(volatilePlace(first, object.kind));
  }
}

/** Artifacts may be Secrets or ConfigMaps; both keys count. */
function artifactsOf(operatorVersion: OperatorVersion, instance: Instance, plan: string): string[] {
  const definition = operatorVersion.spec?.plans?.[plan] ?? {};
  const names = Object.values(pipeNames(nameOf(instance), plan, definition, operatorVersion.spec?.tasks ?? []));
  return names.flatMap((name) => ['Secret', 'ConfigMap'].map((kind) => inventoryKey({ apiVersion: 'v1', kind, name })));
}

function childrenOf(operatorVersion: OperatorVersion, instance: Instance): string[] {
  return (operatorVersion.spec?.tasks ?? [])
    .filter(({ kind }) => kind === 'KudoOperator')
    .map(({ spec }) => spec?.instanceName || childInstanceName(nameOf(instance), spec?.package ?? ''))
    .map((name) => inventoryKey({ apiVersion: KUDO_API_VERSION, kind: 'Instance', name }));
}
