'use client';

import { useEffect, useMemo, useRef, useState } from 'react';
import { browserClock } from '@/components/live/clock';
import { request } from '@/components/live/request';
import { useTopic } from '@/components/live/use-topic';
import type { GroupVersionResource, KubeObject } from '@/lib/kube/object';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import { parseTable, TABLE_ACCEPT, type Table, type TableColumn } from '@/lib/kube/table';
import type { TopicView } from '@/lib/live/view';
import { kubePath } from './resource-path';
import { type ListRow, outdated, type PrintedRows, rowsOfObjects, rowsOfTable, withRows } from './table-rows';

export interface PrintedList {
  readonly view: TopicView;
  readonly columns: readonly TableColumn[];
  readonly rows: readonly ListRow[];
}

/** Changes within this time are printed by one request. */
const GATHER_MS = 150;
/** Up to so many changed objects are printed one by one, when the list is longer than {@link SMALL_LIST}. */
const FEW = 8;
const SMALL_LIST = 40;
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
  const view = useTopic({ ...type, namespace });
  const [columns, setColumns] = useState(initial?.columns ?? []);
  const [printed, setPrinted] = useState<PrintedRows>(() => withRows(new Map(), initial?.rows ?? []));
  const isPrinting = useRef(false);
  const tries = useRef(new Map<string, number>());
  const { group, version, resource } = type;

  useEffect(() => {
    if (view.status !== 'ready' || isPrinting.current) return undefined;
    const changed = outdated(view.objects, printed).filter(
      (object) => (tries.current.get(tryKey(object)) ?? 0) < TRIES,
    );
    if (changed.length === 0) return undefined;
    const timer = browserClock.after(GATHER_MS, async () => {
      isPrinting.current = true;
      for (const object of changed) tries.current.set(tryKey(object), (tries.current.get(tryKey(object)) ?? 0) + 1);
      const tables = await print({ group, version, resource }, namespace, changed, view.objects.length);
      isPrinting.current = false;
      const [first] = tables;
      if (first !== undefined) setColumns(first.columns);
      // A new map even when nothing came, so that this effect looks again at what changed meanwhile.
      setPrinted((known) =>
        withRows(
          known,
          tables.flatMap((table) => table.rows),
        ),
      );
    });
    return () => timer.cancel();
  }, [view, printed, group, version, resource, namespace]);

  const rows = useMemo(() => {
    if (view.status === 'ready') return rowsOfObjects(view.objects, printed);
    return initial === undefined || view.status !== 'loading' ? [] : rowsOfTable(initial);
  }, [view, printed, initial]);
  return { view, columns, rows };
}

async function print(
  type: GroupVersionResource,
  namespace: string | undefined,
  changed: readonly KubeObject[],
  total: number,
): Promise<readonly Table[]> {
  const read = async (path: string): Promise<Table | undefined> => {
    try {
      return parseTable(await request(path, { accept: TABLE_ACCEPT }));
    } catch {
      // Deleted meanwhile, or the API is away: the stream says which, and the row shows what was printed last.
      return undefined;
    }
  };
  const paths =
    total > SMALL_LIST && changed.length <= FEW
      ? changed.map((object) =>
          kubePath({ ...type, namespace: namespaceOf(object) || undefined, name: nameOf(object) }),
        )
      : [`${kubePath({ ...type, namespace })}?includeObject=Metadata`];
  const tables = await Promise.all(paths.map(read));
  return tables.filter((table) => table !== undefined);
}

function tryKey({ metadata }: KubeObject): string {
  return `${metadata.uid} ${metadata.resourceVersion}`;
}
