import type { JsonObject } from '@/lib/json/json';
import { parseApiVersion } from '@/lib/kube/object';
import { type HarnessCollector, readCollector } from './collector';
import { type HarnessCommand, readCommand } from './command';
import { type Expressions, readExpressions } from './expressions';
import { SuiteFields } from './fields';
import { HARNESS_API_VERSION, type SourceObject } from './source-object';

/** Objects that a step deletes before everything else: one by name, or all that match. */
export interface DeleteRef {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly labels: { readonly [name: string]: string };
}

/** A TestStep (KUTTL 0.26). Paths are as they are written. */
export interface TestStep {
  readonly name: string;
  readonly apply: readonly string[];
  readonly assert: readonly string[];
  readonly error: readonly string[];
  readonly delete: readonly DeleteRef[];
  readonly commands: readonly HarnessCommand[];
  readonly kubeconfig: string;
  readonly kubeconfigLoading: 'Eager' | 'Lazy';
  readonly context: string;
}

/** A TestAssert (KUTTL 0.26). `timeout` is in seconds; 0: the suite's. */
export interface TestAssert {
  readonly timeout: number;
  readonly collectors: readonly HarnessCollector[];
  readonly commands: readonly HarnessCommand[];
  readonly expressions: Expressions;
}

/** SuiteFields of an object of a suite, with its places. */
export function suiteFieldsOf(source: SourceObject): SuiteFields {
  return new SuiteFields(source.object as unknown as JsonObject, source);
}

/**
 * True for an object of the harness of this kind.
 * @throws TerminalError for the kind in another group
 */
export function isHarnessKind(source: SourceObject, kind: string): boolean {
  const { object } = source;
  if (object.kind !== kind) return false;
  if (object.apiVersion === HARNESS_API_VERSION) return true;
  throw suiteFieldsOf(source).problem(
    `failed to load ${kind} object from ${source.file}: it contains an object of type ${object.apiVersion}, Kind=${kind}. Write apiVersion: ${HARNESS_API_VERSION}`,
    'apiVersion',
  );
}

/** @throws TerminalError with the line of what is wrong */
export function readTestStep(source: SourceObject): TestStep {
  const fields = suiteFieldsOf(source);
  const loading = fields.text('kubeconfigLoading') ?? 'Eager';
  if (loading !== 'Eager' && loading !== 'Lazy') {
    throw fields.problem(`attribute 'kubeconfigLoading' has invalid value "${loading}"`, 'kubeconfigLoading');
  }
  return {
    name: source.object.metadata.name ?? '',
    apply: fields.texts('apply') ?? [],
    assert: fields.texts('assert') ?? [],
    error: fields.texts('error') ?? [],
    delete: fields.maps('delete').map(readDelete),
    commands: fields.maps('commands').map(readCommand),
    kubeconfig: fields.text('kubeconfig') ?? '',
    kubeconfigLoading: loading,
    context: fields.text('context') ?? '',
  };
}

function readDelete(fields: SuiteFields): DeleteRef {
  const kind = fields.text('kind') ?? '';
  const apiVersion = fields.text('apiVersion') ?? '';
  if (kind === '') throw fields.problem('kind is missing');
  if (parseApiVersion(apiVersion).version === '') throw fields.problem('apiVersion is missing');
  return {
    apiVersion,
    kind,
    name: fields.text('name') ?? '',
    namespace: fields.text('namespace') ?? '',
    labels: fields.labels('labels') ?? {},
  };
}

/** @throws TerminalError with the line of what is wrong, also in an expression */
export function readTestAssert(source: SourceObject): TestAssert {
  const fields = suiteFieldsOf(source);
  return {
    timeout: fields.count('timeout') ?? 0,
    collectors: fields.maps('collectors').map(readCollector),
    commands: fields.maps('commands').map(readCommand),
    expressions: readExpressions(fields),
  };
}
