import { messageOf } from '@/lib/errors/errors';
import { judgeExpressions } from '@/lib/harness/expressions';
import { judgeExpectation, judgeForbidden } from '@/lib/harness/judge';
import type { SourceObject } from '@/lib/harness/source-object';
import type { CaseStep } from '@/lib/harness/step';
import type { KubeObject } from '@/lib/kube/object';
import type { ApplyPlace } from './create-or-merge';
import { labelSelector } from './delete-objects';
import { type CommandPlace, runHarnessCommand } from './step-commands';
import { errorAt, harnessTarget, notFoundText } from './targets';

export interface CheckPlace extends ApplyPlace {
  readonly commands: CommandPlace;
}

/** What one round of checks found. */
export interface CheckRound {
  readonly errors: readonly string[];
  /** A command took all the time that was left: another round makes no sense. */
  readonly isTimeout: boolean;
}

/** Checks everything that a step expects once; `remainingMs` is what commands may take. */
export async function checkStep(step: CaseStep, place: CheckPlace, remainingMs: number): Promise<CheckRound> {
  const errors: string[] = [];
  for (const source of step.asserts) errors.push(...(await expectationErrors(source, place)));
  let isTimeout = false;
  const endMs = place.pace.clock.monotonic() + remainingMs;
  for (const command of step.assert.commands) {
    const seconds = Math.max(1, Math.ceil((endMs - place.pace.clock.monotonic()) / 1_000));
    const once = { ...command, background: false, ignoreFailure: false, timeout: 0 };
    const { error } = await runHarnessCommand(once, place.commands, seconds);
    if (error === undefined) continue;
    errors.push(error);
    isTimeout ||= place.pace.clock.monotonic() >= endMs;
  }
  errors.push(...(await expressionErrors(step, place)));
  for (const source of step.errors) errors.push(...(await forbiddenErrors(source, place)));
  return { errors, isTimeout };
}

async function expectationErrors(source: SourceObject, place: CheckPlace): Promise<string[]> {
  try {
    const found = await candidates(source, place);
    return typeof found === 'string' ? [errorAt(source, found)] : judgeExpectation(source, found);
  } catch (error) {
    place.signal.throwIfAborted();
    return [errorAt(source, error)];
  }
}

async function forbiddenErrors(source: SourceObject, place: CheckPlace): Promise<string[]> {
  try {
    const found = await candidates(source, place);
    if (typeof found === 'string') return [];
    const error = judgeForbidden(source, found);
    return error === undefined ? [] : [error];
  } catch (error) {
    place.signal.throwIfAborted();
    return [errorAt(source, error)];
  }
}

/** The objects that an expectation may mean; a text when the one of its name does not exist. */
async function candidates(
  source: SourceObject,
  { cluster, namespace, signal }: CheckPlace,
): Promise<readonly KubeObject[] | string> {
  const target = await harnessTarget(cluster, source.object, namespace);
  if (target.name !== undefined) {
    const found = await cluster.api.get(target, { signal });
    return found === undefined ? notFoundText(target) : [found];
  }
  const selector = labelSelector(source.object.metadata.labels ?? {});
  const { items } = await cluster.api.list(target, { labelSelector: selector, signal });
  // The items of a list have no apiVersion and kind of their own.
  const { apiVersion, kind } = source.object;
  return items.map((item) => ({ ...item, apiVersion, kind }));
}

async function expressionErrors({ assert }: CaseStep, { cluster, namespace, signal }: CheckPlace): Promise<string[]> {
  const { expressions } = assert;
  const objects = new Map<string, KubeObject>();
  for (const ref of expressions.refs) {
    const place = ref.namespace === '' ? namespace : ref.namespace;
    const failed = (why: string) => [`failed to get referenced resource '${place}/${ref.name}': ${why}`];
    try {
      const metadata = { name: ref.name, namespace: place };
      const target = await harnessTarget(cluster, { apiVersion: ref.apiVersion, kind: ref.kind, metadata }, namespace);
      const found = await cluster.api.get(target, { signal });
      if (found === undefined) return failed(notFoundText(target));
      objects.set(ref.ref, found);
    } catch (error) {
      signal.throwIfAborted();
      return failed(messageOf(error));
    }
  }
  return judgeExpressions(expressions, objects);
}
