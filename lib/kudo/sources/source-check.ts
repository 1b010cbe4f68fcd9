import { hiddenProblem, parameterProblem } from '@/lib/kudo/parameters/parameter-problems';
import { findParameter } from '@/lib/kudo/parameters/parameters';
import { isUnknownValue } from '@/lib/kudo/plan/unknown-value';
import type { Instance, InstanceSpec, OperatorVersion } from '@/lib/kudo/types';
import { doubleProblem, sourceProblem, sourcesOf, sourceText, sourceWords } from './parameter-source';
import type { SourceReads } from './source-values';

/** What is wrong with the sources of a spec and with what it says beside them, or undefined. Nothing is read. */
export function sourcesProblem(spec: InstanceSpec | undefined): string | undefined {
  const shape = sourceProblem(spec);
  if (shape !== undefined) return shape;
  const own = spec?.parameters ?? {};
  const both = sourcesOf(spec).find(({ parameter }) => {
    const value = Object.hasOwn(own, parameter) ? own[parameter] : undefined;
    return value !== undefined && !isUnknownValue(value);
  });
  return both === undefined ? undefined : doubleProblem(both.parameter);
}

/**
 * Why no plan can begin with what the sources hold now. `waits`: a value is missing, and the plan begins when it appears.
 * `refused`: a value does not fit its parameter. No message holds a value.
 */
export interface SourceHold {
  readonly kind: 'waits' | 'refused';
  readonly message: string;
}

/** The first reason to hold a plan, or undefined. Sources that were not read are no reason. */
export function sourceHold(
  instance: Instance,
  operatorVersion: OperatorVersion | undefined,
  reads: SourceReads,
): SourceHold | undefined {
  for (const source of sourcesOf(instance.spec)) {
    const read = reads.get(sourceText(source));
    if (read === undefined) continue;
    if ('problem' in read) {
      if (read.isAbsent && source.isOptional) continue;
      return { kind: 'waits', message: `${read.problem}; the plan waits for it.` };
    }
    const definition = findParameter(operatorVersion, source.parameter);
    const problem = definition === undefined ? undefined : parameterProblem(definition, read.value);
    if (problem === undefined) continue;
    const said = read.value === '' ? problem : hiddenProblem(source.parameter);
    return { kind: 'refused', message: `${said} (${sourceWords(source)})` };
  }
  return undefined;
}
