import type { SemverEdition } from '@/lib/semver/semver';
import { satisfies } from '../semver/constraint';
import { readSemver } from '../semver/version';
import { type CallContext, fn, type GoFunctionTable } from './define';

function edition(context: CallContext): SemverEdition {
  return context.compatibility === 'kudo019' ? 'v1' : 'v3';
}

/** Sprig's semver.go. */
export const semverFunctions: GoFunctionTable = {
  semver: fn(['string'], (context, text) => readSemver(text, edition(context))),
  semverCompare: fn(['string', 'string'], (context, constraint, text) => {
    context.budget.step(Math.ceil((constraint.length + text.length) / 16));
    return satisfies(constraint, () => readSemver(text, edition(context)), edition(context));
  }),
};
