import { parsePackage } from '@/lib/kudo/package/parse-package';
import { packageToObjects } from '@/lib/kudo/package/to-objects';
import type { OperatorPackage, PackageFiles, PackageProblem } from '@/lib/kudo/package/types';
import type { Operator, OperatorVersion } from '@/lib/kudo/types';
import type { KnownRenderings } from '@/lib/kudo/verify/check-rendering';
import { verifyPackage } from '@/lib/kudo/verify/verify';

/** A problem as the workshop shows it. */
export interface DraftProblem extends PackageProblem {
  readonly severity: 'error' | 'warning';
}

/** What is wrong with a draft, and what it is. */
export interface CheckedDraft {
  /** Errors first, in the order of the checks. */
  readonly problems: readonly DraftProblem[];
  /** The objects that the package becomes, in no namespace; undefined while operator.yaml or params.yaml cannot be read. */
  readonly objects: { readonly operator: Operator; readonly operatorVersion: OperatorVersion } | undefined;
}

/**
 * Reads and verifies the files of a draft. Templates whose text was seen before are not parsed again (lib/template caches them).
 *
 * @param renderings of the last check of this draft, so that only what has changed is rendered again
 */
export function checkDraft(files: PackageFiles, renderings?: KnownRenderings): CheckedDraft {
  const parsed = parsePackage(files, 'this draft');
  if (!parsed.ok) return { problems: withSeverity(parsed.problems, 'error'), objects: undefined };
  const { errors, warnings } = verifyPackage(parsed.package, {
    before: parsed.warnings,
    ...(renderings === undefined ? {} : { renderings }),
  });
  return {
    problems: [
      ...withSeverity(withoutEchoes(errors), 'error'),
      ...withSeverity(withoutGuesses(errors, warnings), 'warning'),
    ],
    objects: objectsOf(parsed.package),
  };
}

/** A parameter that is not defined also fails the rendering, at the same place. */
function withoutEchoes(errors: readonly PackageProblem[]): readonly PackageProblem[] {
  const named = new Set(errors.filter(({ rule }) => rule === 'undefined-parameter').map(({ path }) => path));
  return errors.filter(({ rule, path }) => rule !== 'rendering' || !named.has(path));
}

/** While a template cannot be read, nobody knows which parameters it uses. */
function withoutGuesses(
  errors: readonly PackageProblem[],
  warnings: readonly PackageProblem[],
): readonly PackageProblem[] {
  const isUnread = errors.some(({ rule }) => rule === 'templates');
  return isUnread ? warnings.filter(({ rule }) => rule !== 'unused-parameter') : warnings;
}

function objectsOf(pkg: OperatorPackage): CheckedDraft['objects'] {
  return packageToObjects(pkg, { namespace: '' });
}

function withSeverity(problems: readonly PackageProblem[], severity: DraftProblem['severity']): DraftProblem[] {
  return problems.map((problem) => ({ ...problem, rule: problem.rule ?? 'syntax', severity }));
}
