import { arrayAt, isJsonObject, type JsonObject, objectAt, parseJsonObject, stringAt } from '@/lib/json/json';
import { isKubeObject } from '@/lib/kube/object';
import { PLAN_APPROVALS, type PlanApproval } from '@/lib/kudo/approvals/plan-approval';
import { isUnknownValue } from '@/lib/kudo/plan/unknown-value';
import { PLAN_RUNS, type PlanRun } from '@/lib/kudo/runs/plan-run';
import type { SteeringWrite } from '@/lib/kudo/runs/steering-author';
import type { Instance } from '@/lib/kudo/types';
import { limits } from '@/lib/limits/limits';

/** Both versions have the same members; the answer is of the version that asked. */
export type ReviewVersion = 'admission.k8s.io/v1' | 'admission.k8s.io/v1beta1';

/**
 * What an AdmissionReview asks.
 *
 * - `decide`: about a create or an update of an Instance.
 * - `steer`: about an update of a PlanRun.
 * - `approval`: about a create of a PlanApproval, or an update of its status.
 * - `probe`: whether it is reached at all, by a dry run that nobody else makes.
 * - `pass`: about something that is none of our business.
 * - `undecodable` (400): about an Instance that is none.
 * - `invalid`: it is no AdmissionReview at all; there is nothing to answer to.
 */
export type Question =
  | {
      readonly kind: 'decide';
      readonly about: About;
      readonly stored: Instance | undefined;
      readonly sent: Instance;
      /** The user name of who sends it. */
      readonly by?: string;
      readonly author: RequestAuthor;
    }
  | ({ readonly kind: 'steer'; readonly about: About } & SteeringWrite)
  | {
      readonly kind: 'approval';
      readonly about: About;
      /** Undefined for a create. */
      readonly stored: PlanApproval | undefined;
      readonly sent: PlanApproval;
      readonly by?: string;
    }
  | { readonly kind: 'probe'; readonly about: About }
  | { readonly kind: 'pass'; readonly about: About }
  | { readonly kind: 'undecodable'; readonly about: About; readonly problem: string }
  | { readonly kind: 'invalid'; readonly problem: string };

/** Who sends a request, as the API server says (authentication/v1 `UserInfo`). */
export interface RequestAuthor {
  readonly user: string;
  readonly uid: string;
  readonly groups: readonly string[];
  /** Lists of texts, by key. */
  readonly extra: JsonObject;
}

/** On the Instance whose creation is tried to see whether the API server reaches the webhook. */
export const PROBE_LABEL = 'bravo.kudo.dev/webhook-probe';

/** Which review is to be answered. */
export interface About {
  readonly version: ReviewVersion;
  readonly uid: string;
}

/** Reads the text of an AdmissionReview (admission.k8s.io v1 and v1beta1). Never throws, whatever the text is. */
export function readReview(text: string): Question {
  const review = parseJsonObject(text);
  if (review === undefined) return { kind: 'invalid', problem: 'the body is no JSON object' };
  if (isDeeperThan(review, limits.depth)) return { kind: 'invalid', problem: 'the body is nested too deep' };
  const version = review.apiVersion;
  if (
    review.kind !== 'AdmissionReview' ||
    (version !== 'admission.k8s.io/v1' && version !== 'admission.k8s.io/v1beta1')
  ) {
    return { kind: 'invalid', problem: 'the body is no AdmissionReview of admission.k8s.io v1 or v1beta1' };
  }
  const request = objectAt(review, 'request');
  const uid = stringAt(request, 'uid') ?? '';
  if (uid === '') return { kind: 'invalid', problem: 'the AdmissionReview has no request with a uid' };
  return readRequest(request, { version, uid });
}

function readRequest(request: JsonObject, about: About): Question {
  const resource = objectAt(request, 'resource');
  const isInstance = stringAt(resource, 'group') === 'kudo.dev' && stringAt(resource, 'resource') === 'instances';
  const { operation, subResource } = request;
  const isOurs = operation === 'CREATE' || operation === 'UPDATE';
  const isApproval =
    stringAt(resource, 'group') === PLAN_APPROVALS.group && stringAt(resource, 'resource') === PLAN_APPROVALS.resource;
  if (isApproval) return readApproval(request, about);
  const isWhole = subResource === undefined || subResource === '';
  if (isWhole && operation === 'UPDATE' && isPlanRun(resource)) return readSteering(request, about);
  if (!isInstance || !isOurs || !isWhole) return { kind: 'pass', about };
  if (isProbe(request)) return { kind: 'probe', about };
  const namespace = stringAt(request, 'namespace') ?? '';
  try {
    const sent = readInstance(request.object, 'object', namespace);
    const stored = operation === 'UPDATE' ? readInstance(request.oldObject, 'oldObject', namespace) : undefined;
    const by = stringAt(request, 'userInfo', 'username');
    const author = readAuthor(objectAt(request, 'userInfo'));
    return { kind: 'decide', about, stored, sent, author, ...(by === undefined ? {} : { by }) };
  } catch (error) {
    if (error instanceof ShapeProblem) return { kind: 'undecodable', about, problem: error.message };
    throw error;
  }
}

function readAuthor(userInfo: JsonObject): RequestAuthor {
  return {
    user: stringAt(userInfo, 'username') ?? '',
    uid: stringAt(userInfo, 'uid') ?? '',
    groups: arrayAt(userInfo, 'groups').map(String),
    extra: objectAt(userInfo, 'extra'),
  };
}

function isPlanRun(resource: JsonObject): boolean {
  return stringAt(resource, 'group') === PLAN_RUNS.group && stringAt(resource, 'resource') === PLAN_RUNS.resource;
}

/** What steers a run is compared as it is, whatever its shape: the API server holds it against the schema afterwards. */
function readSteering(request: JsonObject, about: About): Question {
  const [sent, stored]: unknown[] = [request.object, request.oldObject];
  const by = stringAt(request, 'userInfo', 'username');
  if (isKubeObject(sent) && isKubeObject(stored)) {
    return { kind: 'steer', about, sent: sent as PlanRun, stored: stored as PlanRun, by };
  }
  return { kind: 'undecodable', about, problem: 'object is no object of Kubernetes' };
}

/** A write of a PlanApproval but not of its status changes nothing: its spec is fixed. */
function readApproval(request: JsonObject, about: About): Question {
  const { operation, subResource } = request;
  const isStatus = operation === 'UPDATE' && subResource === 'status';
  if (operation !== 'CREATE' && !isStatus) return { kind: 'pass', about };
  const namespace = stringAt(request, 'namespace') ?? '';
  try {
    const sent = readPlanApproval(request.object, 'object', namespace);
    const stored = isStatus ? readPlanApproval(request.oldObject, 'oldObject', namespace) : undefined;
    const by = stringAt(request, 'userInfo', 'username');
    return { kind: 'approval', about, stored, sent, ...(by === undefined ? {} : { by }) };
  } catch (error) {
    if (error instanceof ShapeProblem) return { kind: 'undecodable', about, problem: error.message };
    throw error;
  }
}

function readPlanApproval(value: unknown, place: string, namespace: string): PlanApproval {
  const object = mapAt(value, place) ?? {};
  const metadata = mapAt(object.metadata, `${place}.metadata`) ?? {};
  text(metadata.name, `${place}.metadata.name`);
  const spec = mapAt(object.spec, `${place}.spec`) ?? {};
  const { parameters, ...rest } = spec;
  texts(rest, `${place}.spec`);
  texts(parameters, `${place}.spec.parameters`);
  const { notices, ...decision } = mapAt(object.status, `${place}.status`) ?? {};
  texts(decision, `${place}.status`);
  checkNotices(notices, `${place}.status.notices`);
  const placed: unknown = withoutNulls({
    ...object,
    metadata: withoutNulls({ ...metadata, namespace }),
    spec: withoutNulls(spec),
    ...(object.status === undefined ? {} : { status: withoutNulls(mapAt(object.status, `${place}.status`) ?? {}) }),
  });
  if (!isKubeObject(placed)) throw new ShapeProblem(`${place} is no object of Kubernetes`);
  return placed as PlanApproval;
}

function checkNotices(value: unknown, place: string): void {
  if (value === undefined || value === null) return;
  if (!Array.isArray(value)) throw new ShapeProblem(`${place} is no list`);
  for (const entry of value) {
    if (!isJsonObject(entry)) throw new ShapeProblem(`${place} has an entry that is no map`);
    texts(entry, place);
  }
}

function isProbe(request: JsonObject): boolean {
  const label = stringAt(request, 'object', 'metadata', 'labels', PROBE_LABEL);
  return request.operation === 'CREATE' && request.dryRun === true && label !== undefined;
}

class ShapeProblem extends Error {}

/**
 * Webhooks see objects before the API server holds them against the schema of the CRD, so everything that the decision reads
 * is checked here. The namespace of the request counts.
 */
function readInstance(value: unknown, place: string, namespace: string): Instance {
  const object = mapAt(value, place) ?? {};
  const metadata = mapAt(object.metadata, `${place}.metadata`) ?? {};
  texts(metadata.annotations, `${place}.metadata.annotations`);
  text(metadata.name, `${place}.metadata.name`);
  text(metadata.deletionTimestamp, `${place}.metadata.deletionTimestamp`);
  const { finalizers } = metadata;
  if (finalizers !== undefined && finalizers !== null) {
    if (!Array.isArray(finalizers)) throw new ShapeProblem(`${place}.metadata.finalizers is no list`);
    for (const finalizer of finalizers) text(finalizer, `${place}.metadata.finalizers`);
  }
  const spec = mapAt(object.spec, `${place}.spec`) ?? {};
  texts(spec.operatorVersion, `${place}.spec.operatorVersion`);
  texts(spec.planExecution, `${place}.spec.planExecution`);
  texts(spec.parameters, `${place}.spec.parameters`);
  if (place === 'object') refuseUnknownValues(spec.parameters, place);
  checkSources(spec.parametersFrom, `${place}.spec.parametersFrom`);
  checkStatus(object.status, `${place}.status`);
  const placed: unknown = withoutNulls({
    ...object,
    metadata: withoutNulls({ ...metadata, namespace }),
    spec: withoutNulls(spec),
  });
  if (!isKubeObject(placed)) throw new ShapeProblem(`${place} is no object of Kubernetes`);
  return placed as Instance;
}

/** What begins like a fingerprint (unknown-value.ts) is refused when it is sent; what is stored already can still be corrected. */
function refuseUnknownValues(value: unknown, place: string): void {
  for (const [name, member] of Object.entries(mapAt(value, place) ?? {})) {
    const where = `${place}.spec.parameters.${name.slice(0, 100)}`;
    if (typeof member === 'string' && isUnknownValue(member)) throw new ShapeProblem(`${where} is no text`);
  }
}

function checkSources(value: unknown, place: string): void {
  if (value === undefined || value === null) return;
  if (!Array.isArray(value)) throw new ShapeProblem(`${place} is no list`);
  for (const entry of value) {
    const { name, secretKeyRef, configMapKeyRef } = mapAt(entry, place) ?? {};
    text(name, `${place}.name`);
    for (const [ref, field] of [
      [secretKeyRef, 'secretKeyRef'] as const,
      [configMapKeyRef, 'configMapKeyRef'] as const,
    ]) {
      const { optional, ...texted } = mapAt(ref, `${place}.${field}`) ?? {};
      texts(texted, `${place}.${field}`);
      if (optional !== undefined && typeof optional !== 'boolean') {
        throw new ShapeProblem(`${place}.${field}.optional is no boolean`);
      }
    }
  }
}

function checkStatus(value: unknown, place: string): void {
  const plans = mapAt(mapAt(value, place)?.planStatus, `${place}.planStatus`) ?? {};
  for (const [plan, status] of Object.entries(plans)) {
    const { uid, status: word } = mapAt(status, `${place}.planStatus.${plan}`) ?? {};
    text(uid, `${place}.planStatus.${plan}.uid`);
    text(word, `${place}.planStatus.${plan}.status`);
  }
}

function mapAt(value: unknown, place: string): JsonObject | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isJsonObject(value)) throw new ShapeProblem(`${place} is no map`);
  return value;
}

function texts(value: unknown, place: string): void {
  for (const [key, member] of Object.entries(mapAt(value, place) ?? {})) text(member, `${place}.${key.slice(0, 100)}`);
}

function text(value: unknown, place: string): void {
  if (value !== undefined && typeof value !== 'string') throw new ShapeProblem(`${place} is no text`);
}

/** An explicit null in a place of a map or a list means that it is absent. */
function withoutNulls(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));
}

/** Goes no deeper than what is allowed, so that the depth itself cannot hurt. */
function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth < 0) return true;
  for (const member of Object.values(value)) if (isDeeperThan(member, depth - 1)) return true;
  return false;
}
