import { structType } from '../cel-type';
import { CelOpaque, type CelValue } from '../values';
import type { CelFunction, FunctionTable } from './function';

/** The subject of an authorization check: a resource, or a path. */
export interface AuthorizerQuestion {
  readonly verb: string;
  /** A check for the user of the request, or for a service account. */
  readonly account: { readonly namespace: string; readonly name: string } | undefined;
  readonly path: string | undefined;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

export interface AuthorizerAnswer {
  readonly allowed: boolean;
  readonly reason: string;
}

type Decide = (question: AuthorizerQuestion) => AuthorizerAnswer;
type Draft = Omit<AuthorizerQuestion, 'verb'>;

const NOTHING: Draft = {
  ...{ account: undefined, path: undefined, group: '', resource: '', subresource: '', namespace: '', name: '' },
};

const types = {
  Authorizer: structType('kubernetes.authorization.Authorizer'),
  PathCheck: structType('kubernetes.authorization.PathCheck'),
  GroupCheck: structType('kubernetes.authorization.GroupCheck'),
  ResourceCheck: structType('kubernetes.authorization.ResourceCheck'),
  Decision: structType('kubernetes.authorization.Decision'),
};

/** One stage of a question: `authorizer`, then a path or a group, then a resource. */
class CelCheck extends CelOpaque {
  readonly type;

  constructor(
    readonly stage: keyof typeof types,
    readonly decide: Decide,
    readonly draft: Draft,
  ) {
    super();
    this.type = types[stage];
  }

  equals(other: CelOpaque): boolean {
    return this === other;
  }

  to(stage: keyof typeof types, change: Partial<Draft>): CelCheck {
    return new CelCheck(stage, this.decide, { ...this.draft, ...change });
  }
}

class CelDecision extends CelOpaque {
  readonly type = types.Decision;

  constructor(readonly answer: AuthorizerAnswer) {
    super();
  }

  equals(other: CelOpaque): boolean {
    return this === other;
  }
}

/** `authorizer` of an expression (apiserver cel/library Authz): checks whether a user is allowed to do something. */
export const celAuthorizer = (decide: Decide): CelValue => new CelCheck('Authorizer', decide, NOTHING);

/** `authorizer.requestResource`: what the request itself is about. */
export const celRequestResource = (decide: Decide, own: Partial<Draft>): CelValue =>
  new CelCheck('ResourceCheck', decide, { ...NOTHING, ...own });

const step =
  (from: keyof typeof types, to: keyof typeof types, change: (text: string) => Partial<Draft>): CelFunction =>
  ([check, text]) =>
    check instanceof CelCheck && check.stage === from && typeof text === 'string'
      ? check.to(to, change(text))
      : undefined;

const decided =
  (take: (answer: AuthorizerAnswer) => CelValue): CelFunction =>
  ([decision]) =>
    decision instanceof CelDecision ? take(decision.answer) : undefined;

function serviceAccount([check, namespace, name]: readonly CelValue[]): CelValue | undefined {
  if (!(check instanceof CelCheck) || typeof namespace !== 'string' || typeof name !== 'string') return undefined;
  return check.to('Authorizer', { account: { namespace, name } });
}

/** Selectors narrow a check; a user who is allowed for all objects is allowed for some. */
const selector: CelFunction = ([check, text]) =>
  check instanceof CelCheck && typeof text === 'string' ? check : undefined;

export const AUTHORIZER_FUNCTIONS: FunctionTable = [
  ['path', step('Authorizer', 'PathCheck', (path) => ({ path }))],
  ['group', step('Authorizer', 'GroupCheck', (group) => ({ group }))],
  ['serviceAccount', serviceAccount],
  ['resource', step('GroupCheck', 'ResourceCheck', (resource) => ({ resource }))],
  ['subresource', step('ResourceCheck', 'ResourceCheck', (subresource) => ({ subresource }))],
  ['namespace', step('ResourceCheck', 'ResourceCheck', (namespace) => ({ namespace }))],
  ['name', step('ResourceCheck', 'ResourceCheck', (name) => ({ name }))],
  ['fieldSelector', selector],
  ['labelSelector', selector],
  [
    'check',
    ([check, verb]) =>
      check instanceof CelCheck && typeof verb === 'string'
        ? new CelDecision(check.decide({ ...check.draft, verb }))
        : undefined,
  ],
  ['allowed', decided(({ allowed }) => allowed)],
  ['reason', decided(({ reason }) => reason)],
  ['errored', decided(() => false)],
  ['error', decided(() => '')],
];
