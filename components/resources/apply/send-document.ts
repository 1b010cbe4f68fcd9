import { RequestError, request } from '@/components/live/request';
import { sleep, systemClock } from '@/lib/clock/clock';
import { messageOf } from '@/lib/errors/errors';
import type { JsonObject } from '@/lib/json/json';
import { isKubeObject, type KubeObject, nameOf, parseApiVersion } from '@/lib/kube/object';
import { leaveOut } from '@/lib/kube/ownership/leave-out';
import { CONSOLE_MANAGER } from '@/lib/kube/ownership/revert';
import type { ObjectAddress } from '../object-address';
import { kubePath, objectHref } from '../resource-path';
import { homeOf, isCrd, isEstablished, type KnownKind, kindAmong } from './document-kinds';
import { type DocumentOutcome, documentOutcome, documentTitle, type FieldConflict, MANAGED } from './document-outcome';
import { managedChange } from './managed-change';
import type { SendOptions } from './send-documents';

interface Document {
  readonly object: KubeObject | string;
  /** Its place in the text, from 0. */
  readonly index: number;
  readonly kinds: readonly KnownKind[];
  readonly namespace: string;
}

interface Sending extends SendOptions {
  readonly dryRun: boolean;
}

interface Target {
  readonly kind: KnownKind;
  readonly version: string;
  readonly home: string | undefined;
  readonly body: KubeObject;
}

/** Sends one document. `isNew` when the object did not exist before. */
export async function sendDocument(
  document: Document,
  sending: Sending,
): Promise<{ readonly outcome: DocumentOutcome; readonly isNew: boolean }> {
  const { object, kinds, namespace } = document;
  const title = documentTitle(object);
  const refused = (message: string) => ({ outcome: documentOutcome(title, 'refused', { message }), isNew: false });
  if (typeof object === 'string') return refused(object);
  const kind = kindAmong(kinds, object);
  if (kind === undefined) return refused(`The cluster does not serve kind ${object.kind} of ${object.apiVersion}.`);
  const home = homeOf(object, kind, namespace);
  const body = home === undefined ? object : { ...object, metadata: { ...object.metadata, namespace: home } };
  const target = { kind, version: parseApiVersion(object.apiVersion).version, home, body };
  try {
    // An object without a name can only be created.
    const isApplied = sending.how === 'apply' && nameOf(object) !== '';
    return isApplied ? await apply(document, target, sending) : await create(target, sending);
  } catch (error) {
    const causes = error instanceof RequestError ? error.causes : [];
    return { outcome: documentOutcome(title, 'refused', { message: messageOf(error), causes }), isNew: false };
  }
}

async function create(target: Target, { dryRun }: Sending) {
  const made = await write(target, 'POST', { dryRun });
  if (!dryRun) await established(target, made);
  return { outcome: written(target, made, dryRun ? 'checked' : 'created'), isNew: true };
}

/** A dry run without force first: it names the conflicts, and the version that exists. Only fields that the person takes over are forced. */
async function apply(document: Document, target: Target, { dryRun, answers }: Sending) {
  const answerTo = ({ field }: FieldConflict) => answers.get(`${document.index} ${field}`);
  const found = await tryApply(target);
  const end = (body: KubeObject, tried: KubeObject, force: boolean) =>
    finish({ ...target, body }, tried, { dryRun, force, isAnswered: answers.has(`${document.index} ${MANAGED}`) });
  if (found.conflicts === undefined) return end(target.body, found.stored, false);
  const open = found.conflicts.filter((conflict) => answerTo(conflict) === undefined);
  if (open.length > 0) {
    const { conflicts } = found;
    return { outcome: documentOutcome(documentTitle(target.body), 'conflict', { conflicts }), isNew: false };
  }
  const kept = found.conflicts.filter((conflict) => answerTo(conflict) === 'keep');
  const body = kept.reduce(withoutField, target.body);
  const asked = new Set(found.conflicts.map(({ field }) => field));
  const again = await tryApply({ ...target, body });
  if (again.conflicts === undefined) return end(body, again.stored, false);
  const fresh = again.conflicts.filter(({ field }) => !asked.has(field));
  if (fresh.length > 0) {
    const outcome = documentOutcome(documentTitle(target.body), 'conflict', { conflicts: again.conflicts });
    return { outcome, isNew: false };
  }
  const forced = await write({ ...target, body }, 'PATCH', { dryRun: true, force: true });
  return end(body, forced, true);
}

function withoutField(body: KubeObject, { field }: FieldConflict): KubeObject {
  const left = leaveOut(body as JsonObject, field);
  if (!isKubeObject(left)) throw new Error(`${field} cannot be left out. Change it in the text, or take it over.`);
  return left;
}

/** What a dry run answered; exactly one of both. */
type Tried =
  | { readonly stored: KubeObject; readonly conflicts: undefined }
  | { readonly stored: undefined; readonly conflicts: readonly FieldConflict[] };

async function tryApply(target: Target): Promise<Tried> {
  try {
    return { stored: await write(target, 'PATCH', { dryRun: true }), conflicts: undefined };
  } catch (error) {
    const conflicts = applyConflicts(error);
    if (conflicts.length === 0) throw error;
    return { stored: undefined, conflicts };
  }
}

/** The conflicts in the answer to an apply (Kubernetes apiserver, NewApplyConflict); empty for other errors. */
export function applyConflicts(error: unknown): readonly FieldConflict[] {
  if (!(error instanceof RequestError) || error.status !== 409) return [];
  return error.causes.flatMap(({ field, message }) => {
    const manager = /^conflict with "((?:[^"\\]|\\.)*)"/.exec(message)?.[1];
    return manager === undefined ? [] : [{ field, manager }];
  });
}

interface Finish {
  readonly dryRun: boolean;
  readonly force: boolean;
  /** The person wants the change although something reverts it. */
  readonly isAnswered: boolean;
}

/** @param tried the answer of the dry run: without resourceVersion, the object does not exist yet */
async function finish(target: Target, tried: KubeObject, { dryRun, force, isAnswered }: Finish) {
  const { resourceVersion: old = '' } = tried.metadata;
  const isNew = old === '';
  const managed = isNew || isAnswered ? undefined : await managedChange(addressOf(target), tried);
  if (managed !== undefined) {
    return { outcome: documentOutcome(documentTitle(target.body), 'managed', { managed }), isNew };
  }
  if (dryRun) {
    const message = isNew ? 'It does not exist yet.' : 'It exists: its fields are set as the text says.';
    return { outcome: { ...written(target, tried, 'checked'), message }, isNew };
  }
  const made = await write(target, 'PATCH', { dryRun: false, force });
  await established(target, made);
  const isSame = made.metadata.resourceVersion === old;
  return { outcome: written(target, made, isNew ? 'created' : isSame ? 'unchanged' : 'configured'), isNew };
}

function addressOf({ kind, version, home, body }: Target): ObjectAddress {
  return { type: { group: kind.group, version, resource: kind.resource }, namespace: home ?? '', name: nameOf(body) };
}

function written({ kind, version, home }: Target, made: KubeObject, status: DocumentOutcome['status']) {
  const href = objectHref({ group: kind.group, version, resource: kind.resource }, home ?? '', nameOf(made));
  return documentOutcome(documentTitle(made), status, status === 'checked' ? {} : { href });
}

function write(
  { kind, version, home, body }: Target,
  method: 'POST' | 'PATCH',
  { dryRun, force = false }: { dryRun: boolean; force?: boolean },
): Promise<KubeObject> {
  const query = new URLSearchParams({ fieldManager: CONSOLE_MANAGER, fieldValidation: 'Strict' });
  if (dryRun) query.set('dryRun', 'All');
  if (force) query.set('force', 'true');
  const name = method === 'PATCH' ? { name: nameOf(body) } : {};
  const path = kubePath({ group: kind.group, version, resource: kind.resource, namespace: home, ...name });
  const contentType = method === 'PATCH' ? 'application/apply-patch+yaml' : 'application/json';
  return request<KubeObject>(`${path}?${query}`, { method, body, contentType });
}

const ESTABLISHED_TRIES = 40;
const ESTABLISHED_PAUSE_MS = 250;

/** Waits until the API server serves the objects of a CRD. */
async function established(target: Target, made: KubeObject): Promise<void> {
  if (!isCrd(made)) return;
  const path = kubePath({ group: target.kind.group, version: target.version, resource: target.kind.resource });
  let crd = made;
  for (let tries = 0; tries < ESTABLISHED_TRIES; tries++) {
    if (isEstablished(crd)) return;
    await sleep(systemClock, ESTABLISHED_PAUSE_MS);
    crd = await request<KubeObject>(`${path}/${encodeURIComponent(nameOf(made))}`);
  }
  throw new Error('The definition was written, but the API server does not serve its objects after 10 seconds.');
}
