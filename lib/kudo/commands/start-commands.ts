import type { JsonObject, JsonValue } from '@/lib/json/json';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import { planForChange, withEdit } from '@/lib/kudo/admission/triggers';
import { CONFIRM_ANNOTATION } from '@/lib/kudo/names';
import { parameterSchemaOf } from '@/lib/kudo/parameters/parameter-schema';
import { isSecretParameter } from '@/lib/kudo/parameters/parameters';
import { type RunWishes, requestAnnotations } from '@/lib/kudo/runs/run-request';
import { sourcesOf } from '@/lib/kudo/sources/parameter-source';
import { type PlacedEdit, placeEdit } from '@/lib/kudo/sources/place-edit';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { bravoLine, type CopiedCommands, type CopiedPatch, kubectlPatch, patchFile } from './copied-commands';
import { saidFlags } from './said-flags';
import { shellLine } from './shell-quote';

/** A write of an Instance: an edit of parameters, a start of a plan, or both. */
export interface CopiedStart {
  readonly instance: Instance;
  readonly operatorVersion: OperatorVersion | undefined;
  /** Undefined for an edit, which starts what it triggers. */
  readonly plan?: string | undefined;
  /** New values; null is the default. */
  readonly parameters?: { readonly [name: string]: string | null };
  /** True when secret values are kept in the Instance. */
  readonly inline?: boolean;
  readonly wishes?: RunWishes;
  /** `PLAN/INSTANCE`, when the person has confirmed a destructive plan. */
  readonly confirm?: string | undefined;
  /** Of the execution of `plan`. */
  readonly uid?: string;
}

/** The commands that write what the console would write, with placeholders for secret values. */
export function startCommands(start: CopiedStart): CopiedCommands {
  const parts = partsOf(start);
  const { patch, secrets, isAfter } = parts;
  const writes = patch === undefined ? [] : [kubectlPatch(patch)];
  const inOrder = isAfter ? [...secrets, ...writes] : [...writes, ...secrets];
  return {
    kubectl: inOrder.join(' &&\n'),
    bravo: bravoOf(start, parts),
    yaml: patch === undefined ? secrets.map((line) => `# ${line}\n`).join('') : patchFile(patch, secrets),
  };
}

interface Parts {
  readonly placed: PlacedEdit;
  /** Undefined when only Secrets are written. */
  readonly patch: CopiedPatch | undefined;
  /** Commands that write secret values. */
  readonly secrets: readonly string[];
  /** True when the Secrets are written before the Instance, which refers to them. */
  readonly isAfter: boolean;
  /** True for a start that the edit itself makes. */
  readonly isEdit: boolean;
}

function partsOf(start: CopiedStart): Parts {
  const { instance, operatorVersion, plan, inline = false, wishes, confirm, uid = '' } = start;
  const parameters = withPlaceholders(start);
  const triggered = planForChange(instance, operatorVersion, { parameters }).plan;
  const isEdit = plan === undefined || (triggered === plan && Object.keys(parameters).length > 0);
  const placed = placeEdit(instance, operatorVersion, { parameters, inline });
  const annotations = {
    ...(confirm === undefined ? {} : { [CONFIRM_ANNOTATION]: confirm }),
    ...requestAnnotations(plan ?? triggered, wishes),
  };
  const spec: JsonObject = {
    ...(Object.keys(placed.parameters).length === 0 ? {} : { parameters: { ...placed.parameters } }),
    ...sourcesPart(instance, placed),
    ...(isEdit ? {} : { planExecution: { planName: plan, uid, status: 'NEVER_RUN' } }),
  };
  const metadata: JsonObject = {
    ...('parametersFrom' in spec ? { resourceVersion: instance.metadata.resourceVersion ?? '' } : {}),
    ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
  };
  const patch: JsonObject = {
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
    ...(Object.keys(spec).length === 0 ? {} : { spec }),
  };
  return {
    placed,
    patch: Object.keys(patch).length === 0 ? undefined : { ...instanceTarget(instance), patch },
    secrets: secretWrites(instance, placed),
    isAfter: Object.keys(spec).length > 0,
    isEdit,
  };
}

/** A merge patch replaces the list of sources as a whole, so it names the state that was read. */
function sourcesPart(instance: Instance, placed: PlacedEdit): JsonObject {
  const { parametersFrom } = withEdit(instance, placed).spec ?? {};
  const isSame = JSON.stringify(parametersFrom) === JSON.stringify(instance.spec?.parametersFrom);
  return isSame ? {} : { parametersFrom: (parametersFrom ?? null) as unknown as JsonValue };
}

function instanceTarget(instance: Instance) {
  return { resource: 'instances.kudo.dev', namespace: namespaceOf(instance), name: nameOf(instance) };
}

function withPlaceholders({ operatorVersion, parameters = {} }: CopiedStart): { [name: string]: string | null } {
  const schema = parameterSchemaOf(operatorVersion);
  const entries = Object.entries(parameters).map(([name, value]): [string, string | null] => [
    name,
    value !== null && isSecretParameter(name, schema) ? placeholder(name) : value,
  ]);
  return Object.fromEntries(entries);
}

function placeholder(name: string): string {
  return `<value of ${name}>`;
}

/** A Secret that no parameter has a value in is taken for one that does not exist. */
function secretWrites(instance: Instance, { secrets }: PlacedEdit): string[] {
  const namespace = namespaceOf(instance);
  const known = new Set(sourcesOf(instance.spec).map(({ name }) => name));
  return Object.entries(secrets).map(([name, values]) => {
    if (known.has(name)) {
      return kubectlPatch({ resource: 'secret', namespace, name, patch: { stringData: { ...values } } });
    }
    const literals = Object.entries(values).map(([key, value]) => `--from-literal=${key}=${value}`);
    return shellLine(['kubectl', 'create', 'secret', 'generic', name, '-n', namespace, ...literals]);
  });
}

function bravoOf(start: CopiedStart, parts: Parts): CopiedCommands['bravo'] {
  const parameters = Object.entries(withPlaceholders(start));
  const empty = parameters.filter(([, value]) => (value ?? '') === '').map(([name]) => name);
  if (empty.length > 0) return { unavailable: `bravo cannot set ${empty.join(', ')} to the default or to nothing.` };
  if (start.wishes?.retryOf !== undefined) return retryLine(start, start.wishes.retryOf, parameters);
  return parts.isEdit ? updateLine(start, parts) : triggerLine(start, parameters.length > 0);
}

function retryLine(start: CopiedStart, retryOf: string, parameters: readonly [string, string | null][]) {
  if ((start.wishes?.stopAfter ?? '') !== '')
    return { unavailable: 'bravo run retry cannot stop the run after a phase.' };
  const given = parameters.flatMap(([name, value]) => ['-p', `${name}=${value}`]);
  return bravoLine(
    ['run', 'retry', retryOf, ...given, ...saidFlags(start.wishes ?? {}, start.confirm)],
    start.instance,
  );
}

function updateLine(start: CopiedStart, { placed, secrets }: Parts): CopiedCommands['bravo'] {
  const { instance, inline = false, wishes = {} } = start;
  if ((wishes.stopAfter ?? '') !== '') return { unavailable: 'bravo update cannot stop the plan after a phase.' };
  const given = Object.entries(placed.parameters).flatMap(([name, value]) =>
    value === null ? [] : ['-p', `${name}=${value}`],
  );
  const moved = Object.entries(placed.sources).flatMap(([name, source]) => {
    const { name: secret = '', key = '' } = source?.secretKeyRef ?? {};
    return source === null ? [] : ['--parameter-from', `${name}=secret/${secret}/${key}`];
  });
  if (given.length === 0 && moved.length === 0) {
    return { unavailable: 'The value is in a Secret, which bravo does not write.' };
  }
  const words = ['update', '--instance', nameOf(instance), ...given, ...moved, ...(inline ? ['--inline'] : [])];
  return [...secrets, bravoLine([...words, ...saidFlags(start.wishes ?? {}, start.confirm)], instance)].join(' &&\n');
}

function triggerLine(start: CopiedStart, hasParameters: boolean): CopiedCommands['bravo'] {
  const { instance, plan = '', wishes = {} } = start;
  if (hasParameters) return { unavailable: 'bravo plan trigger takes no values of parameters.' };
  const { stopAfter = '' } = wishes;
  const stop = stopAfter === '' ? [] : ['--stop-after', stopAfter];
  const words = ['plan', 'trigger', '--instance', nameOf(instance), '--name', plan, ...stop];
  return bravoLine([...words, ...saidFlags(start.wishes ?? {}, start.confirm)], instance);
}
