'use client';

import { ChevronRight } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { classNames } from '@/components/ui/class-names';
import { treeStep } from '@/lib/kudo/tree/tree-rows';
import { type SchemaField, schemaTypeWords } from '@/lib/schema/schema-fields';
import type { SchemaRow } from '@/lib/schema/schema-rows';

const INDENT_PX = 16;
const DEEPEST_INDENT = 8;

interface SchemaTreeProps {
  readonly kind: string;
  readonly rows: readonly SchemaRow[];
  /** The id of the field whose details are shown. */
  readonly chosen: string | undefined;
  readonly onChoose: (field: SchemaField) => void;
  /** Opens or closes lines. */
  readonly onOpened: (ids: readonly string[], isOpen: boolean) => void;
}

/** Fields by the tree pattern of WAI-ARIA: one stop of the Tab key, arrow keys, Home, End and `*`. The line with the focus is the chosen one. */
export function SchemaTree({ kind, rows, chosen, onChoose, onOpened }: SchemaTreeProps) {
  const tree = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<string>();
  const isShown = (id: string | undefined) => rows.some(({ node }) => node.id === id);
  const stop = isShown(active) ? active : isShown(chosen) ? chosen : rows[0]?.node.id;
  const onKeyDown = (event: KeyboardEvent) => {
    if (stop === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const row = rows.find(({ node }) => node.id === stop);
    const isToggle = event.key === 'Enter' || event.key === ' ';
    const step = isToggle ? undefined : treeStep(event.key, rows, stop);
    if (!isToggle && step === undefined) return;
    event.preventDefault();
    if (step === undefined) onOpened([stop], row?.isOpen !== true);
    else if ('go' in step) tree.current?.querySelector<HTMLElement>(`[data-line="${CSS.escape(step.go)}"]`)?.focus();
    else if ('open' in step) onOpened(step.open, true);
    else onOpened([step.close], false);
  };
  return (
    <div
      ref={tree}
      role="tree"
      aria-label={`Fields of ${kind}`}
      onKeyDown={onKeyDown}
      className="max-h-[560px] overflow-y-auto"
    >
      {rows.map((row) => (
        <SchemaLine
          key={row.node.id}
          row={row}
          isChosen={row.node.id === chosen}
          isStop={row.node.id === stop}
          onFocus={() => {
            setActive(row.node.id);
            onChoose(row.node);
          }}
          onToggle={() => onOpened([row.node.id], !row.isOpen)}
        />
      ))}
    </div>
  );
}

interface SchemaLineProps {
  readonly row: SchemaRow;
  readonly isChosen: boolean;
  readonly isStop: boolean;
  readonly onFocus: () => void;
  readonly onToggle: () => void;
}

function SchemaLine({ row, isChosen, isStop, onFocus, onToggle }: SchemaLineProps) {
  const { node, position, siblings, isOpen, isFound } = row;
  const { name, level, schema, isRequired, hasChildren } = node;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the keys
    <div
      role="treeitem"
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-expanded={hasChildren ? isOpen : undefined}
      aria-selected={isChosen}
      tabIndex={isStop ? 0 : -1}
      data-line={node.id}
      onFocus={onFocus}
      onClick={onToggle}
      style={{ paddingInlineStart: 8 + Math.min(level - 1, DEEPEST_INDENT) * INDENT_PX }}
      className={classNames(
        'flex min-h-8 cursor-pointer items-center gap-x-2 border-b py-0.5 pe-4 focus-visible:-outline-offset-2',
        isChosen ? 'bg-accent-soft' : 'hover:bg-sunken',
      )}
    >
      <ChevronRight
        size={14}
        aria-hidden="true"
        className={classNames(
          'shrink-0 text-ink-3 transition-transform',
          !hasChildren && 'invisible',
          isOpen && 'rotate-90',
        )}
      />
      <span className={classNames('mono min-w-0 truncate', isFound ? 'font-semibold' : 'font-medium')} title={node.id}>
        {name}
      </span>
      <span className="min-w-0 shrink-[2] truncate text-ink-2 text-xs">{schemaTypeWords(schema)}</span>
      {isRequired && <span className="ms-auto shrink-0 text-ink-2 text-xs">required</span>}
    </div>
  );
}
