import { gunzipSync, gzipSync } from 'node:zlib';
import { isJsonObject } from '@/lib/json/json';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import { PLAN_RUN_API_VERSION, type PlanRun } from '@/lib/kudo/runs/plan-run';
import { parseRunRecord, type RunRecord } from '@/lib/kudo/runs/record-format';
import type { Api } from '@/server/kube/api';
import { codeOf } from '@/server/kube/errors';

/** Type of the Secret `<planrun>.bravo-record`, which the PlanRun owns. */
export const RECORD_SECRET_TYPE = 'bravo.kudo.dev/run-record';
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
}

/**
 * Writes the record of a run, once: a Secret of that name is its record. Undefined when even
 * the smallest part of it is too large.
 *
 * @throws whatever the API says
 */
export async function writeRunRecord(api: Api, run: PlanRun, record: RunRecord): Promise<StoredRecord | undefined> {
  const packed = smallerAndSmaller(record)
    .map((each) => gzipSync(JSON.stringify(each), { level: 1 }))
    .find(({ length }) => length <= MAX_PACKED_BYTES);
  if (packed === undefined) return undefined;
  const name = recordName(run);
  try {
    await api.create({ ...SECRETS, namespace: namespaceOf(run) }, secretOf(run, packed.toString('base64')));
  } catch (error) {
    if (codeOf(error) !== 409) throw error;
  }
  return { recordName: name, recordBytes: packed.length };
}

/** The record of a run, whether its PlanRun names it or not; undefined when there is none. */
export async function existingRecord(api: Api, run: PlanRun): Promise<StoredRecord | undefined> {
  const name = recordName(run);
  const found = await api.get({ ...SECRETS, namespace: namespaceOf(run), name });
  return found?.type === RECORD_SECRET_TYPE ? { recordName: name } : undefined;
}

/** The record of a run; undefined when it has none, or one that cannot be read. */
export async function readRunRecord(api: Api, run: PlanRun): Promise<RunRecord | undefined> {
  const name = run.status?.recordName;
  if (name === undefined) return undefined;
  const secret = await api.get({ ...SECRETS, namespace: namespaceOf(run), name });
  const text = secret?.type === RECORD_SECRET_TYPE && isJsonObject(secret.data) ? secret.data[DATA_KEY] : undefined;
  if (typeof text !== 'string') return undefined;
  try {
    const bytes = gunzipSync(Buffer.from(text, 'base64'), { maxOutputLength: MAX_UNPACKED_BYTES });
    return parseRunRecord(JSON.parse(bytes.toString('utf8')));
  } catch {
    return undefined;
  }
}

/** What is left out first when the record is too large: manifests, then differences, then logs. */
function smallerAndSmaller(record: RunRecord): RunRecord[] {
  const bare = record.tasks.map((task) => ({ ...task, manifests: [] }));
  const plain = bare.map((task) => ({ ...task, objects: task.objects.map(({ diff: _, ...object }) => object) }));
  const { failure } = record;
  return [record, { ...record, tasks: bare }, { ...record, tasks: plain }, silent(plain, failure)];
}

function silent(tasks: RunRecord['tasks'], failure: RunRecord['failure']): RunRecord {
  return failure === undefined ? { tasks } : { tasks, failure: { ...failure, logs: [] } };
}

function recordName(run: PlanRun): string {
  return `${nameOf(run)}.bravo-record`;
}

function secretOf(run: PlanRun, data: string): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: recordName(run),
      namespace: namespaceOf(run),
      ownerReferences: [
        { apiVersion: PLAN_RUN_API_VERSION, kind: 'PlanRun', name: nameOf(run), uid: run.metadata.uid ?? '' },
      ],
    },
    type: RECORD_SECRET_TYPE,
    data: { [DATA_KEY]: data },
  };
}
