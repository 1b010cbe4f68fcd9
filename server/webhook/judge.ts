import { type Clock, formatTime } from '@/lib/clock/clock';
import type { JsonObject } from '@/lib/json/json';
import type { AdmissionDecision } from '@/lib/kudo/admission/admission-decision';
import { type AdmitRequest, admit, isMetadataOnly } from '@/lib/kudo/admission/admit';
import type { Question, RequestAuthor } from '@/lib/kudo/admission/review';
import { OPERATOR_VERSIONS } from '@/lib/kudo/crds/crds';
import { operatorVersionKey } from '@/lib/kudo/names';
import { actedUpon } from '@/lib/kudo/plan/acted-upon-record';
import { withSteeringAuthor } from '@/lib/kudo/runs/steering-author';
import type { Fingerprinter } from '@/lib/kudo/secrets/fingerprint';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { type Random, randomUuid } from '@/lib/random/random';
import type { Api } from '@/server/kube/api';
import { KindIndex } from '@/server/kube/kinds';
import { readSources } from '@/server/parameters/read-sources';
import { decideWithPreconditions } from '@/server/preconditions/decide-with-preconditions';
import { approvalAnswer, decisionAnswer, passAnswer, patchAnswer, probeAnswer, undecodableAnswer } from './answer';
import { decideWithDestroyRight } from './destroy-right';
import { judgePlanApproval } from './judge-plan-approval';

export interface JudgeOptions {
  readonly api: Api;
  readonly clock: Clock;
  readonly random: Random;
  readonly fingerprints: Fingerprinter;
  /** An OperatorVersion from a watched copy. */
  watchedVersion(namespace: string, name: string): OperatorVersion | undefined;
}

/** Answers what can be answered; throws what the API says when an OperatorVersion cannot be read. */
export type Judge = (question: Exclude<Question, { kind: 'invalid' }>, signal: AbortSignal) => Promise<JsonObject>;

/**
 * The answer of the one decision. OperatorVersions come from the watched copy, because an edit waits for this; a refusal is
 * made only with versions that were read live, so that nobody is refused because a watch lags. Sources of parameters are read,
 * so that a value that only moves is seen to be the same; only Instances that have some cost that.
 */
export function createJudge(options: JudgeOptions): Judge {
  const kinds = new KindIndex(options.api);
  return async (question, signal) => {
    if (question.kind === 'pass') return passAnswer(question.about);
    if (question.kind === 'probe') return probeAnswer(question.about);
    if (question.kind === 'undecodable') return undecodableAnswer(question.about, question.problem);
    if (question.kind === 'steer') {
      return patchAnswer(question.about, question.sent, withSteeringAuthor(question, options.fingerprints));
    }
    if (question.kind === 'approval') {
      return approvalAnswer(question.about, question.sent, await judgePlanApproval(question, options, signal));
    }
    const { stored, sent, about, by, author } = question;
    const asking = { options, kinds, signal, by, author };
    const quick = await decide(stored, sent, asking, (key) => watchedOrLive(key, options, signal));
    const isFinal = quick.outcome === 'allowed' || quick.outcome === 'allowed-with';
    const decision = isFinal ? quick : await decide(stored, sent, asking, (key) => live(key, options, signal));
    return decisionAnswer(about, sent, decision);
  };
}

interface VersionKey {
  readonly namespace: string;
  readonly name: string;
}

interface Asking {
  readonly options: JudgeOptions;
  /** For the objects that preconditions look at. */
  readonly kinds: KindIndex;
  readonly signal: AbortSignal;
  /** Who sends the request. */
  readonly by: string | undefined;
  readonly author: RequestAuthor;
}

type ReadVersion = (key: VersionKey) => Promise<OperatorVersion | undefined>;

async function decide(
  stored: Instance | undefined,
  sent: Instance,
  { options, kinds, signal, by, author }: Asking,
  read: ReadVersion,
): Promise<AdmissionDecision> {
  const { api, clock, random, fingerprints } = options;
  const request: Omit<AdmitRequest, 'versions' | 'reads'> = {
    operation: stored === undefined ? 'CREATE' : 'UPDATE',
    stored,
    sent,
    newUid: randomUuid(random),
    now: formatTime(clock.now()),
    fingerprints,
    by,
  };
  if (isMetadataOnly(stored, sent)) return admit({ ...request, versions: NONE });
  const known = new Map<string, Promise<OperatorVersion | undefined>>();
  const once: ReadVersion = (key) => {
    const id = `${key.namespace}/${key.name}`;
    const found = known.get(id) ?? (key.name === '' ? Promise.resolve(undefined) : read(key));
    known.set(id, found);
    return found;
  };
  const [reads, sentVersion, storedVersion, actedUponVersion] = await Promise.all([
    readSources(api, stored === undefined ? [sent] : [sent, stored], signal),
    once(operatorVersionKey(sent)),
    stored === undefined ? undefined : once(operatorVersionKey(stored)),
    stored === undefined ? undefined : once(actedUponKey(stored)),
  ]);
  const versions = { sent: sentVersion, stored: storedVersion, actedUpon: actedUponVersion };
  return decideWithDestroyRight({ api, clock, signal, author }, (judgeAuthor) =>
    decideWithPreconditions({ api, kinds, signal, fingerprints }, reads, (judge) =>
      admit({ ...request, reads, versions, judge, judgeAuthor }),
    ),
  );
}

const NONE = { sent: undefined, stored: undefined, actedUpon: undefined } as const;

function actedUponKey(stored: Instance): VersionKey {
  const seen = actedUpon(stored);
  return operatorVersionKey(
    seen === undefined ? stored : { ...stored, spec: { operatorVersion: seen.operatorVersion } },
  );
}

async function watchedOrLive(key: VersionKey, options: JudgeOptions, signal: AbortSignal) {
  return options.watchedVersion(key.namespace, key.name) ?? live(key, options, signal);
}

async function live({ namespace, name }: VersionKey, { api }: JudgeOptions, signal: AbortSignal) {
  return (await api.get({ ...OPERATOR_VERSIONS, namespace, name }, { signal })) as OperatorVersion | undefined;
}
