import { type Clock, sleep } from '@/lib/clock/clock';
import { TransientError } from '@/lib/errors/errors';
import { arrayAt, isJsonObject, type JsonObject, type JsonValue, numberAt, stringAt } from '@/lib/json/json';
import { API_SERVICE_TYPE, type UnavailableVersion, unavailableVersion } from '@/lib/kube/api-services';
import { collectDependents, type Dependent } from '@/lib/kube/dependents';
import { type KindSummary, resourceName, summarizeKinds } from '@/lib/kube/kinds';
import { isKubeObject, parseApiVersion } from '@/lib/kube/object';
import { type FoundName, isSought, type ObjectNames } from '@/lib/kube/object-names';
import { formatResourcePath } from '@/lib/kube/path';
import { parseTable, TABLE_ACCEPT, type Table } from '@/lib/kube/table';
import { OWN_KIND_LABEL } from '@/lib/kudo/own-kinds/names';
import { limits } from '@/lib/limits/limits';
import type { Api, Target } from '@/server/kube/api';
import { readText } from '@/server/kube/body';
import { withDeadline } from '@/server/kube/deadline';
import { errorOfResponse } from '@/server/kube/errors';

/** What the pages and routes of `/resources` read, with one person's authority. */
export interface ResourceReader {
  /** Every kind that can be listed, asked anew. Kinds of API groups that are away are left out. */
  kinds(): Promise<readonly KindSummary[]>;
  /** The same, with the groups and versions that could not be read and why, as far as the person may know. */
  served(): Promise<ServedKinds>;
  /** A list (or a page of it) or one object as the API prints it. @throws the errors of Api; undefined when the API knows no tables */
  table(target: Target, page?: TablePage): Promise<Table | undefined>;
  /** How many objects of each kind there are, by resource name; kinds that may not be listed are left out. */
  counts(namespace: string | undefined): Promise<Readonly<Record<string, number>>>;
  /** What the garbage collector takes when the objects with these uids go. */
  dependents(uids: readonly string[], namespace: string | undefined): Promise<readonly Dependent[]>;
  /** The names of the objects of all kinds that are looked for by name; at most {@link limits.names} of each, and in all. */
  names(namespace: string | undefined): Promise<ObjectNames>;
  /** The custom kinds of a namespace with an object that has the label, or belongs to one of the owners, directly or through other custom objects. */
  customKinds(namespace: string, wanted: WantedObjects): Promise<CustomKinds>;
}

/** Which objects are looked for. */
export interface WantedObjects {
  readonly label: { readonly name: string; readonly value: string };
  /** UIDs. */
  readonly owners: readonly string[];
}

export interface ServedKinds {
  readonly kinds: readonly KindSummary[];
  /** At most {@link limits.unavailableVersions}. */
  readonly unavailable: readonly UnavailableVersion[];
}

export interface CustomKinds {
  readonly found: readonly KindSummary[];
  /** How many custom kinds were not read, because there are too many. */
  readonly leftOut: number;
}

const CRDS: Target = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' };
const METADATA_ACCEPT = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json';
/** Custom kinds that are read for a tree, and objects of each. */
const MOST_CUSTOM = 100;
const MOST_OBJECTS = 500;
/** Lists that run at a time. */
const PARALLEL = 8;

/** A part of a list: at most so many rows, from where the page before ended. */
export interface TablePage {
  readonly limit: number;
  readonly continue?: string | undefined;
}

function tableQuery(page: TablePage | undefined): URLSearchParams {
  const query = new URLSearchParams({ includeObject: 'Metadata' });
  if (page !== undefined) query.set('limit', String(page.limit));
  if (page?.continue !== undefined) query.set('continue', page.continue);
  return query;
}

/** A reader over an Api. What is not answered within the deadline has failed. */
export function resourceReader(api: Api, clock: Clock, deadlineMs: number = limits.listDeadlineMs): ResourceReader {
  const read = (path: string, accept: string) => readJson(api, clock, { path, accept, deadlineMs });
  const readList = (path: string) => read(path, METADATA_ACCEPT);
  const readKinds = async () => {
    const [discovery, definitions] = await Promise.all([
      within(clock, deadlineMs, api.discover({ refresh: true })),
      // Names are enough: the schemas of a cluster's definitions can be many megabytes.
      read(formatResourcePath(CRDS), METADATA_ACCEPT).catch(() => undefined),
    ]);
    const operators = arrayAt(definitions, 'items').map(
      (item) =>
        [stringAt(item, 'metadata', 'name') ?? '', stringAt(item, 'metadata', 'labels', OWN_KIND_LABEL)] as const,
    );
    return { kinds: summarizeKinds(discovery.resources, new Map(operators)), failed: discovery.failed };
  };
  const kinds = async () => (await readKinds()).kinds;
  return {
    kinds,
    async served() {
      const { kinds: found, failed } = await readKinds();
      const asked = failed.slice(0, limits.unavailableVersions);
      return { kinds: found, unavailable: await Promise.all(asked.map((entry) => whyUnavailable(entry, read))) };
    },
    async table(target, page) {
      const path = formatResourcePath(target);
      return parseTable(await read(target.name === undefined ? `${path}?${tableQuery(page)}` : path, TABLE_ACCEPT));
    },
    async counts(namespace) {
      const counts: Record<string, number> = {};
      await forEach(await kinds(), async (kind) => {
        const path = formatResourcePath({ ...kind, namespace: kind.namespaced ? namespace : undefined });
        // Lists of metadata alone say how many there are only since Kubernetes 1.21; tables always do.
        const list = await read(`${path}?limit=1&includeObject=None`, TABLE_ACCEPT).catch(() => undefined);
        if (list !== undefined) counts[resourceName(kind)] = countOf(list);
      });
      return counts;
    },
    async dependents(uids, namespace) {
      const all: Dependent[] = [];
      await forEach(await kinds(), async (kind) => {
        // An object of a namespace can only be owned from within; a cluster-scoped owner may own anywhere.
        if (namespace !== undefined && !kind.namespaced) return;
        const path = formatResourcePath({ ...kind, namespace });
        const list = await read(path, METADATA_ACCEPT).catch(() => undefined);
        if (list !== undefined) all.push(...ownedOf(list, kind));
      });
      return collectDependents(uids, distinct(all));
    },
    async names(namespace) {
      const found: FoundName[] = [];
      const more: string[] = [];
      await forEach((await kinds()).filter(isSought), async (kind) => {
        if (found.length >= limits.names.inAll) return void more.push(kind.kind);
        const path = formatResourcePath({ ...kind, namespace: kind.namespaced ? namespace : undefined });
        const list = await readList(`${path}?limit=${limits.names.ofKind}`).catch(() => undefined);
        if (list === undefined) return;
        found.push(...arrayAt(list, 'items').map((item) => namedObject(item, kind)));
        if ((stringAt(list, 'metadata', 'continue') ?? '') !== '') more.push(kind.kind);
      });
      return { objects: found.slice(0, limits.names.inAll), more: more.sort() };
    },
    async customKinds(namespace, wanted) {
      const custom = (await kinds()).filter((kind) => kind.custom && kind.namespaced);
      const asked = custom.slice(0, MOST_CUSTOM);
      const objects: CustomObject[] = [];
      await forEach(asked, async (kind) => {
        const path = formatResourcePath({ ...kind, namespace });
        const list = await readList(`${path}?limit=${MOST_OBJECTS}`).catch(() => undefined);
        for (const item of arrayAt(list, 'items')) objects.push(customObject(item, kind, wanted.label));
      });
      return { found: kindsOf(objects, wanted.owners), leftOut: custom.length - asked.length };
    },
  };
}

/** @param entry `GROUP/VERSION: failure`, as discovery says it */
async function whyUnavailable(
  entry: string,
  read: (path: string, accept: string) => Promise<JsonObject>,
): Promise<UnavailableVersion> {
  const colon = entry.indexOf(': ');
  const { group, version } = parseApiVersion(entry.slice(0, colon));
  const path = formatResourcePath({ ...API_SERVICE_TYPE, name: `${version}.${group}` });
  const apiService = await read(path, 'application/json').catch(() => undefined);
  const failure = entry.slice(colon + 2);
  return unavailableVersion({ group, version }, failure, isKubeObject(apiService) ? apiService : undefined);
}

function namedObject(item: JsonValue, { group, version, resource, kind }: KindSummary): FoundName {
  const [namespace = '', name = ''] = [stringAt(item, 'metadata', 'namespace'), stringAt(item, 'metadata', 'name')];
  return { group, version, resource, kind, namespace, name };
}

interface CustomObject {
  readonly kind: KindSummary;
  readonly uid: string;
  readonly owners: readonly string[];
  readonly isLabelled: boolean;
}

function customObject(item: JsonValue, kind: KindSummary, label: WantedObjects['label']): CustomObject {
  return {
    kind,
    uid: stringAt(item, 'metadata', 'uid') ?? '',
    owners: arrayAt(item, 'metadata', 'ownerReferences').flatMap((owner) => stringAt(owner, 'uid') ?? []),
    isLabelled: stringAt(item, 'metadata', 'labels', label.name) === label.value,
  };
}

/** The kinds of the objects that are labelled, or below an owner. */
function kindsOf(objects: readonly CustomObject[], owners: readonly string[]): KindSummary[] {
  const inside = new Set(owners);
  const found = new Set<KindSummary>();
  for (let grew = true; grew; ) {
    grew = false;
    for (const { kind, uid, owners: above, isLabelled } of objects) {
      if (inside.has(uid) && found.has(kind)) continue;
      if (!isLabelled && !above.some((owner) => inside.has(owner))) continue;
      grew ||= !inside.has(uid) || !found.has(kind);
      inside.add(uid);
      found.add(kind);
    }
  }
  return [...found];
}

/** Does not end what was begun: the answer may still be of use to others. */
async function within<T>(clock: Clock, deadlineMs: number, answer: Promise<T>): Promise<T> {
  const stop = new AbortController();
  const late = sleep(clock, deadlineMs, stop.signal).then(() => {
    throw new TransientError('The Kubernetes API does not answer.', 'Timeout');
  });
  late.catch(() => undefined);
  try {
    return await Promise.race([answer, late]);
  } finally {
    stop.abort();
  }
}

interface Reading {
  readonly path: string;
  readonly accept: string;
  readonly deadlineMs: number;
}

async function readJson(api: Api, clock: Clock, { path, accept, deadlineMs }: Reading): Promise<JsonObject> {
  return withDeadline(clock, deadlineMs, undefined, async (signal) => {
    const response = await api.raw({ method: 'GET', path, headers: { accept }, signal });
    const text = await readText(response.body, MAX_LIST_BYTES);
    if (response.status >= 300) throw errorOfResponse(response.status, text, response.headers);
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : {};
  });
}

const MAX_LIST_BYTES = 64 * 1024 * 1024;

function countOf(list: JsonObject): number {
  const shown = arrayAt(list, 'rows').length + arrayAt(list, 'items').length;
  return shown + (numberAt(list, 'metadata', 'remainingItemCount') ?? 0);
}

function ownedOf(list: JsonObject, kind: KindSummary): Dependent[] {
  if (!Array.isArray(list.items)) return [];
  const { group, version, resource } = kind;
  return list.items.flatMap((item) => {
    const metadata = isJsonObject(item) && isJsonObject(item.metadata) ? item.metadata : {};
    const owners = (Array.isArray(metadata.ownerReferences) ? metadata.ownerReferences : [])
      .filter(isJsonObject)
      .map((owner) => String(owner.uid));
    if (owners.length === 0) return [];
    const names = {
      namespace: String(metadata.namespace ?? ''),
      name: String(metadata.name),
      uid: String(metadata.uid),
    };
    return [{ group, version, resource, kind: kind.kind, ...names, owners }];
  });
}

/** Events are served under two groups: the same object twice. */
function distinct(dependents: readonly Dependent[]): Dependent[] {
  return [...new Map(dependents.map((dependent) => [dependent.uid, dependent])).values()];
}

async function forEach<T>(items: readonly T[], run: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items];
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await run(item);
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
}
