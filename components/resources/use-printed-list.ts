'use client';

import { useEffect, useMemo, useRef, useState } from 'react';
import { browserClock } from '@/components/live/clock';
import { request } from '@/components/live/request';
import { useTopic } from '@/components/live/use-topic';
import type { GroupVersionResource, KubeObject } from '@/lib/kube/object';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import { parseTable, TABLE_ACCEPT, type Table, type TableColumn, type TableRow } from '@/lib/kube/table';
import { formatTopic, type Topic } from '@/lib/live/topic';
import type { TopicView } from '@/lib/live/view';
import { kubePath } from './resource-path';
import {
  isVersionless,
  type ListRow,
  notePrinted,
  outdated,
  type PrintedRows,
  rowsOfObjects,
  rowsOfTable,
  withRows,
} from './table-rows';

export interface PrintedList {
  readonly view: TopicView;
  readonly columns: readonly TableColumn[];
  readonly rows: readonly ListRow[];
  /** How many there are, more than `rows` while only the first are known. */
  readonly total: number;
}

/** Changes within this time are printed by one request. */
const GATHER_MS = 150;
/** Up to so many changed objects are printed one by one, when the list is longer than {@link SMALL_LIST}. */
const FEW = 8;
const SMALL_LIST = 40;
/** Rows that are drawn at once while a long list is printed page by page. */
const BATCH = 2_000;
/** One version of an object is asked for so often; an API that cannot print it is left alone then. */
const TRIES = 3;

/**
 * A live list in the API's own columns. Which objects there are comes from the event stream; how they are printed is asked
 * from the API for what changed, at most every {@link GATHER_MS}.
 */
export function usePrintedList(
  type: GroupVersionResource,
  namespace: string | undefined,
  initial: Table | undefined,
): PrintedList {
  const view = useTopic({ ...type, namespace, view: 'rows' });
  const [columns, setColumns] = useState(initial?.columns ?? []);
  const [printed, setPrinted] = useState<PrintedRows>(() => withRows(new Map(), initial?.rows ?? []));
  const isPrinting = useRef(false);
  const tries = useRef(new Map<string, number>());
  const { group, version, resource } = type;

  useEffect(() => {
    if (view.status !== 'ready' || view.total !== undefined || isPrinting.current) return undefined;
    const changed = outdated(view.objects, printed).filter(
      (object) => isVersionless(object) || (tries.current.get(tryKey(object)) ?? 0) < TRIES,
    );
    if (changed.length === 0) return undefined;
    const timer = browserClock.after(GATHER_MS, async () => {
      isPrinting.current = true;
      for (const object of changed) tries.current.set(tryKey(object), (tries.current.get(tryKey(object)) ?? 0) + 1);
      let rows: TableRow[] = [];
      const draw = () => {
        const fresh = rows;
        rows = [];
        // A new map even when nothing came, so that this effect runs again for what changed meanwhile.
        setPrinted((known) => withRows(known, fresh));
      };
      for await (const table of print({ group, version, resource }, namespace, changed, view.objects.length)) {
        setColumns((known) => (sameColumns(known, table.columns) ? known : table.columns));
        rows.push(...table.rows);
        if (rows.length >= BATCH) draw();
      }
      isPrinting.current = false;
      notePrinted(changed);
      draw();
    });
    return () => timer.cancel();
  }, [view, printed, group, version, resource, namespace]);

  const rows = useMemo(() => {
    if (view.status === 'ready' && view.total === undefined) return rowsOfObjects(view.objects, printed);
    return initial === undefined || (view.status !== 'loading' && view.total === undefined) ? [] : rowsOfTable(initial);
  }, [view, printed, initial]);
  const total = Math.max(
    rows.length,
    view.total ?? 0,
    view.status === 'loading' ? rows.length + (initial?.remaining ?? 0) : 0,
  );
  return { view, columns, rows, total };
}

/** The tables of what changed: few objects one by one, else the whole list, page by page. */
async function* print(
  type: GroupVersionResource,
  namespace: string | undefined,
  changed: readonly KubeObject[],
  total: number,
): AsyncGenerator<Table> {
  if (total > SMALL_LIST && changed.length <= FEW) {
    const paths = changed.map((object) =>
      kubePath({ ...type, namespace: namespaceOf(object) || undefined, name: nameOf(object) }),
    );
    const tables = await Promise.all(paths.map(readTable));
    yield* tables.filter((table) => table !== undefined);
    return;
  }
  let next: string | undefined;
  do {
    const table = await readPage({ ...type, namespace }, next);
    if (table === undefined) return;
    yield table;
    next = table.next;
  } while (next !== undefined);
}

// Whatever goes wrong (deleted meanwhile, the API is away): the stream says which, and the row shows what was printed last.

async function readTable(path: string): Promise<Table | undefined> {
  return request(path, { accept: TABLE_ACCEPT }).then(parseTable, () => undefined);
}

async function readPage(topic: Topic, next: string | undefined): Promise<Table | undefined> {
  const query = new URLSearchParams({ topic: formatTopic(topic), ...(next === undefined ? {} : { continue: next }) });
  const answer = await request<{ table?: Table }>(`/api/resources/table?${query}`).catch(() => undefined);
  return answer?.table;
}

function sameColumns(a: readonly TableColumn[], b: readonly TableColumn[]): boolean {
  return (
    a.length === b.length && a.every(({ name, priority }, at) => name === b[at]?.name && priority === b[at]?.priority)
  );
}

function tryKey({ metadata }: KubeObject): string {
  return `${metadata.uid} ${metadata.resourceVersion}`;
}
