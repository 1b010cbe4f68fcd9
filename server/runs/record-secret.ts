import { gunzipSync, gzipSync } from 'node:zlib';
import { type JsonObject, parseJsonObject, stringAt } from '@/lib/json/json';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import { PLAN_RUN_API_VERSION, type PlanRun } from '@/lib/kudo/runs/plan-run';
import { parseRunRecord, type RunRecord } from '@/lib/kudo/runs/record-format';
import { sha256Of, shownRecordText } from '@/lib/kudo/runs/shown-record';
import type { Fingerprinter } from '@/lib/kudo/secrets/fingerprint';
import type { Api } from '@/server/kube/api';
import { codeOf } from '@/server/kube/errors';

/** Type of the Secret `<planrun>.bravo-record`, which the PlanRun owns. */
export const RECORD_SECRET_TYPE = 'bravo.kudo.dev/run-record';
/**
 * On that Secret: the SHA-256 of what the record says, with a proof by the controllers' key that a controller wrote this Secret. JSON:
 * `{"sha256", "proof"}`.
 */
const WRITTEN_ANNOTATION = 'bravo.kudo.dev/record';
const DATA_KEY = 'record.json.gz';
/** A Secret may hold 1 MiB, and base64 is not counted. */
const MAX_PACKED_BYTES = 900 * 1024;
/** Against a Secret that somebody else wrote. */
const MAX_UNPACKED_BYTES = 64 * 1024 * 1024;
const SECRETS = { group: '', version: 'v1', resource: 'secrets' } as const;

/** What the status of a PlanRun says of the Secret with its record. */
export interface StoredRecord {
  readonly recordName: string;
  readonly recordBytes?: number;
  /** Of what is in the Secret; absent when nobody can tell that a controller wrote it. */
  readonly recordSha256?: string;
}

/**
 * Writes the record of a run, once: a Secret of that name is its record. Undefined when even
 * the smallest part of it is too large.
 *
 * @throws whatever the API says
 */
export async function writeRunRecord(
  api: Api,
  run: PlanRun,
  record: RunRecord,
  fingerprints: Fingerprinter,
): Promise<StoredRecord | undefined> {
  const found = smallerAndSmaller(record)
    .map((each) => ({ part: each, packed: gzipSync(JSON.stringify(each), { level: 1 }) }))
    .find(({ packed }) => packed.length <= MAX_PACKED_BYTES);
  if (found === undefined) return undefined;
  const { part, packed } = found;
  const recordSha256 = sha256Of(shownRecordText(part as unknown as JsonObject));
  try {
    await api.create(
      { ...SECRETS, namespace: namespaceOf(run) },
      secretOf(run, packed.toString('base64'), { recordSha256, fingerprints }),
    );
  } catch (error) {
    if (codeOf(error) !== 409) throw error;
    // By a controller that died then, or by somebody else: what is stored counts.
    return existingRecord(api, run, fingerprints);
  }
  return { recordName: recordName(run), recordBytes: packed.length, recordSha256 };
}

/** The record of a run, whether its PlanRun names it or not; undefined when there is none. */
export async function existingRecord(
  api: Api,
  run: PlanRun,
  fingerprints: Fingerprinter,
): Promise<StoredRecord | undefined> {
  const name = recordName(run);
  const found = await api.get({ ...SECRETS, namespace: namespaceOf(run), name });
  if (found?.type !== RECORD_SECRET_TYPE) return undefined;
  const data = dataOf(found);
  const written = found.metadata.annotations?.[WRITTEN_ANNOTATION] ?? '';
  const recordSha256 = stringAt(parseJsonObject(written), 'sha256') ?? '';
  // The proof is of the packed bytes, so that what somebody else wrote is not even unpacked.
  const isOurs = written === writtenText(run, data, { recordSha256, fingerprints });
  return { recordName: name, recordBytes: Buffer.byteLength(data, 'base64'), ...(isOurs ? { recordSha256 } : {}) };
}

/** The record of a run; undefined when it has none, or one that cannot be read. */
export async function readRunRecord(api: Api, run: PlanRun): Promise<RunRecord | undefined> {
  return parseRunRecord(await readRecordJson(api, run));
}

/** The record of a run as it is stored, with members that this version does not know; undefined as for {@link readRunRecord}. */
export async function readRecordJson(api: Api, run: PlanRun): Promise<JsonObject | undefined> {
  const name = run.status?.recordName;
  if (name === undefined) return undefined;
  const secret = await api.get({ ...SECRETS, namespace: namespaceOf(run), name });
  return secret?.type === RECORD_SECRET_TYPE ? unpackRecord(secret) : undefined;
}

/** Gzip'd JSON in base64; empty when there is none. */
function dataOf(secret: KubeObject): string {
  return stringAt(secret, 'data', DATA_KEY) ?? '';
}

function unpackRecord(secret: KubeObject): JsonObject | undefined {
  try {
    const bytes = gunzipSync(Buffer.from(dataOf(secret), 'base64'), { maxOutputLength: MAX_UNPACKED_BYTES });
    return parseJsonObject(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

interface Written {
  readonly recordSha256: string;
  readonly fingerprints: Fingerprinter;
}

function writtenText(run: PlanRun, data: string, { recordSha256, fingerprints }: Written): string {
  const proof = fingerprints.signatureOf(
    `run ${run.metadata.uid ?? ''} has record ${recordSha256} in ${sha256Of(data)}`,
  );
  return JSON.stringify({ sha256: recordSha256, proof });
}

/** What is left out first when the record is too large: manifests, then differences, then logs. */
function smallerAndSmaller(record: RunRecord): RunRecord[] {
  const bare = record.tasks.map((task) => ({ ...task, manifests: [] }));
  const plain = bare.map((task) => ({ ...task, objects: task.objects.map(({ diff: _, ...object }) => object) }));
  return [record, { ...record, tasks: bare }, { ...record, tasks: plain }, silent({ ...record, tasks: plain })];
}

function silent(record: RunRecord): RunRecord {
  const { failure } = record;
  return failure === undefined ? record : { ...record, failure: { ...failure, logs: [] } };
}

function recordName(run: PlanRun): string {
  return `${nameOf(run)}.bravo-record`;
}

function secretOf(run: PlanRun, data: string, written: Written): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: recordName(run),
      namespace: namespaceOf(run),
      annotations: { [WRITTEN_ANNOTATION]: writtenText(run, data, written) },
      ownerReferences: [
        { apiVersion: PLAN_RUN_API_VERSION, kind: 'PlanRun', name: nameOf(run), uid: run.metadata.uid ?? '' },
      ],
    },
    type: RECORD_SECRET_TYPE,
    data: { [DATA_KEY]: data },
  };
}
