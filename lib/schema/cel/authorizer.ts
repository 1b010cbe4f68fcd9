import type { Environment } from '@marcbachmann/cel-js';

/** What an expression asks about: a resource, or a path that is none. */
export interface AuthorizerQuestion {
  readonly verb: string;
  /** Asked for the user of the request, or for a service account. */
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
  account: undefined,
  path: undefined,
  group: '',
  resource: '',
  subresource: '',
  namespace: '',
  name: '',
};

/** `authorizer` of an expression (Kubernetes apiserver cel/library Authz): asks whether somebody may do something. */
export class CelAuthorizer {
  readonly draft: Draft;
  readonly decide: Decide;
  readonly requestResource: CelResourceCheck | undefined;

  /** @param own what the request itself is about; `requestResource` */
  constructor(decide: Decide, own?: Partial<Draft>, draft: Draft = NOTHING) {
    this.decide = decide;
    this.draft = draft;
    this.requestResource = own === undefined ? undefined : new CelResourceCheck(decide, { ...draft, ...own });
  }
}

/** A question whose verb is still open. */
class CelCheck {
  readonly decide: Decide;
  readonly draft: Draft;

  constructor(decide: Decide, draft: Draft) {
    this.decide = decide;
    this.draft = draft;
  }
}
class CelPathCheck extends CelCheck {}
class CelGroupCheck extends CelCheck {}
class CelResourceCheck extends CelCheck {}

class CelDecision {
  readonly answer: AuthorizerAnswer;

  constructor(answer: AuthorizerAnswer) {
    this.answer = answer;
  }
}

const TYPE = 'kubernetes.authorization';

/** Adds the functions of `authorizer` to an environment. */
export function registerAuthorizer(env: Environment): void {
  const [self, path, group, resource, decision] = [
    'Authorizer',
    'PathCheck',
    'GroupCheck',
    'ResourceCheck',
    'Decision',
  ].map((name) => `${TYPE}.${name}`);
  env.registerType(`${path}`, CelPathCheck);
  env.registerType(`${group}`, CelGroupCheck);
  env.registerType(`${resource}`, CelResourceCheck);
  env.registerType(`${decision}`, CelDecision);
  env.registerType(`${self}`, { ctor: CelAuthorizer, fields: { requestResource: `${resource}` } });
  env.registerFunction(`${self}.path(string): ${path}`, ({ decide, draft }: CelAuthorizer, given: string) => {
    return new CelPathCheck(decide, { ...draft, path: given });
  });
  env.registerFunction(`${self}.group(string): ${group}`, ({ decide, draft }: CelAuthorizer, given: string) => {
    return new CelGroupCheck(decide, { ...draft, group: given });
  });
  env.registerFunction(
    `${self}.serviceAccount(string, string): ${self}`,
    ({ decide, draft }: CelAuthorizer, namespace: string, name: string) =>
      new CelAuthorizer(decide, undefined, { ...draft, account: { namespace, name } }),
  );
  env.registerFunction(`${group}.resource(string): ${resource}`, ({ decide, draft }: CelCheck, given: string) => {
    return new CelResourceCheck(decide, { ...draft, resource: given });
  });
  for (const key of ['subresource', 'namespace', 'name'] as const) {
    env.registerFunction(`${resource}.${key}(string): ${resource}`, ({ decide, draft }: CelCheck, given: string) => {
      return new CelResourceCheck(decide, { ...draft, [key]: given });
    });
  }
  for (const type of [path, resource]) {
    env.registerFunction(`${type}.check(string): ${decision}`, ({ decide, draft }: CelCheck, verb: string) => {
      return new CelDecision(decide({ ...draft, verb }));
    });
  }
  env.registerFunction(`${decision}.allowed(): bool`, ({ answer }: CelDecision) => answer.allowed);
  env.registerFunction(`${decision}.reason(): string`, ({ answer }: CelDecision) => answer.reason);
  env.registerFunction(`${decision}.errored(): bool`, () => false);
  env.registerFunction(`${decision}.error(): string`, () => '');
}
