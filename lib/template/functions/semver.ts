import { satisfies } from '../semver/constraint';
import { parseVersion, type SemverEdition } from '../semver/version';
import { type CallContext, type FunctionTable, fn } from './define';

function edition(context: CallContext): SemverEdition {
  return context.compatibility === 'kudo019' ? 'v1' : 'v3';
}

/** Sprig's semver.go. */
export const semverFunctions: FunctionTable = {
  semver: fn(['string'], (context, text) => parseVersion(text, edition(context))),
  semverCompare: fn(['string', 'string'], (context, constraint, text) => {
    context.budget.step(Math.ceil((constraint.length + text.length) / 16));
    return satisfies(constraint, () => parseVersion(text, edition(context)), edition(context));
  }),
};
