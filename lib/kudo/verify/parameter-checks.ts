import { TerminalError } from '@/lib/errors/errors';
import type { PackageGroup, PackageParameter } from '../package/types';
import type { Report } from './report';

/** Optional checks of the descriptions of parameters. They only warn. */
export const PARAMETER_CHECKS = ['display', 'hint', 'desc', 'type', 'hasgroup', 'groups', 'all'] as const;
export type ParameterCheck = (typeof PARAMETER_CHECKS)[number];

type Describable = Pick<PackageParameter & PackageGroup, 'displayName' | 'description'>;

const CHECKS: readonly [ParameterCheck, (parameter: PackageParameter) => string | undefined][] = [
  ['desc', descriptionProblem],
  ['hint', hintProblem],
  ['display', displayProblem],
  ['hasgroup', ({ group = '' }) => (group === '' ? 'has no group' : undefined)],
  ['type', ({ type = '' }) => (type === '' ? 'has no explicit type assigned' : undefined)],
];

/** Reads `--param-checks a,b`. @throws TerminalError for an unknown name */
export function parseParameterChecks(text: string): Set<ParameterCheck> {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  for (const name of names) {
    if (!(PARAMETER_CHECKS as readonly string[]).includes(name)) {
      const message = `unknown parameter check: ${name}, must be one of [${PARAMETER_CHECKS.join(' ')}]`;
      throw new TerminalError(message, 'UnknownParameterCheck');
    }
  }
  return new Set(names as ParameterCheck[]);
}

export function checkDescriptions(report: Report, wanted: ReadonlySet<ParameterCheck>): void {
  const wants = (check: ParameterCheck): boolean => wanted.has(check) || wanted.has('all');
  for (const [check, find] of CHECKS) {
    if (!wants(check)) continue;
    for (const parameter of report.pkg.parameters) {
      const problem = find(parameter);
      if (problem !== undefined)
        report.warn(report.parameterLine(parameter), `parameter "${parameter.name}" ${problem}`);
    }
  }
  if (!wants('groups')) return;
  report.pkg.groups.forEach((group, index) => {
    for (const problem of [displayProblem(group), descriptionProblem(group)]) {
      if (problem === undefined) continue;
      report.warn(report.paramsLine('groups', index), `parameter group "${group.name}" ${problem}`);
    }
  });
}

function descriptionProblem({ description = '' }: Describable): string | undefined {
  if (description === '') return 'has no description';
  if (!/[.!?)]$/.test(description.trimEnd())) return "has a description not ending with one of '.!?)'";
  return /^[a-z]/.test(description) ? 'has a description that does not start with a capital letter' : undefined;
}

function hintProblem({ hint = '' }: PackageParameter): string | undefined {
  if (hint === '') return 'has no hint';
  return hint.endsWith('.') ? undefined : "has a hint not ending with a '.'";
}

function displayProblem({ displayName = '' }: Describable): string | undefined {
  if (displayName === '') return 'has no displayName';
  if (displayName.endsWith(':')) return "has a displayName ending with ':'";
  return /^[a-z]/.test(displayName) ? 'has a displayName that does not start with a capital letter' : undefined;
}
