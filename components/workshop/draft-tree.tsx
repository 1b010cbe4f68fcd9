'use client';

import { FileText, Folder } from 'lucide-react';
import { Fragment, type KeyboardEvent, useRef } from 'react';
import { classNames } from '@/components/ui/class-names';
import type { PackageFiles } from '@/lib/kudo/package/types';
import type { DraftProblem } from '@/lib/workshop/check-draft';

export interface DraftTreeProps {
  readonly files: PackageFiles;
  readonly problems: readonly DraftProblem[];
  readonly chosen: string;
  readonly onChoose: (path: string) => void;
  readonly onRename: () => void;
  readonly onDelete: () => void;
  /** A press on a file. */
  readonly onPick: (path: string) => void;
  /** Enter: on to the text of the chosen file. */
  readonly onOpen: () => void;
}

/** The files of the package, one stop of the Tab key: arrows choose, Enter goes to the text, F2 renames, Delete deletes. */
export function DraftTree({ files, problems, chosen, onChoose, onRename, onDelete, onPick, onOpen }: DraftTreeProps) {
  const list = useRef<HTMLDivElement>(null);
  const paths = [...files.keys()];
  const choose = (path: string | undefined) => {
    if (path === undefined) return;
    onChoose(path);
    list.current?.querySelector<HTMLElement>(`[data-file="${CSS.escape(path)}"]`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const at = paths.indexOf(chosen);
    const moves: { readonly [key: string]: () => void } = {
      ArrowDown: () => choose(paths[at + 1]),
      ArrowUp: () => choose(paths[at - 1]),
      Home: () => choose(paths[0]),
      End: () => choose(paths.at(-1)),
      Enter: onOpen,
      F2: onRename,
      Delete: onDelete,
    };
    const move = moves[event.key];
    if (move === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    move();
  };
  return (
    <div ref={list} role="tree" aria-label="Files" onKeyDown={onKeyDown} className="py-1">
      {byFolder(paths).map(({ folder, names }) => (
        <Fragment key={folder}>
          {folder !== '' && (
            <div className="flex items-center gap-2 px-3 pt-2 pb-1 text-2xs text-ink-3">
              <Folder size={13} aria-hidden="true" />
              {folder}
            </div>
          )}
          {names.map((name) => {
            const path = folder === '' ? name : `${folder}/${name}`;
            return (
              <FileEntry
                key={path}
                path={path}
                name={name}
                isInside={folder !== ''}
                isChosen={path === chosen}
                problems={problems.filter(({ file }) => file === path)}
                onPick={() => onPick(path)}
              />
            );
          })}
        </Fragment>
      ))}
    </div>
  );
}

function FileEntry({
  path,
  name,
  isInside,
  isChosen,
  problems,
  onPick,
}: {
  path: string;
  name: string;
  isInside: boolean;
  isChosen: boolean;
  problems: readonly DraftProblem[];
  onPick: () => void;
}) {
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const warnings = problems.length - errors;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys
    <div
      role="treeitem"
      aria-selected={isChosen}
      tabIndex={isChosen ? 0 : -1}
      data-file={path}
      onClick={onPick}
      className={classNames(
        'flex min-h-7 cursor-pointer items-center gap-2 py-0.5 pe-3 focus-visible:-outline-offset-2',
        isInside ? 'ps-6' : 'ps-3',
        isChosen ? 'bg-accent-soft font-medium text-accent' : 'text-ink-2 hover:bg-sunken hover:text-ink',
      )}
    >
      <FileText size={13} aria-hidden="true" className="shrink-0" />
      <span className="mono min-w-0 flex-1 truncate" title={path}>
        {name}
      </span>
      <Count count={errors} word="error" tone="text-fail" />
      <Count count={warnings} word="warning" tone="text-wait" />
    </div>
  );
}

function Count({ count, word, tone }: { count: number; word: string; tone: string }) {
  if (count === 0) return null;
  return (
    <span className={classNames('font-semibold text-2xs tabular-nums', tone)}>
      {count}
      <span className="sr-only">
        {' '}
        {word}
        {count === 1 ? '' : 's'}
      </span>
    </span>
  );
}

/** The files in their order, grouped by the first part of their path. */
function byFolder(paths: readonly string[]): { readonly folder: string; readonly names: readonly string[] }[] {
  const names = new Map<string, string[]>();
  for (const path of paths) {
    const at = path.indexOf('/');
    const folder = at === -1 ? '' : path.slice(0, at);
    names.set(folder, [...(names.get(folder) ?? []), at === -1 ? path : path.slice(at + 1)]);
  }
  return [...names].map(([folder, inside]) => ({ folder, names: inside }));
}
