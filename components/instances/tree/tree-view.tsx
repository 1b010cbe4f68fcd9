'use client';

import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react';
import { useNow } from '@/components/ui/use-now';
import { useVirtualRows } from '@/components/ui/use-virtual-rows';
import { systemClock } from '@/lib/clock/clock';
import type { ResourceNode } from '@/lib/kudo/tree/resource-node';
import { type OpenState, type TreeRow, treeRows, treeStep, typedAhead } from '@/lib/kudo/tree/tree-rows';
import { ResourceLine } from './resource-line';

const LINE_PX = 36;
/** Letters that are typed within this time make one word. */
const TYPING_MS = 700;

/**
 * The resources of an Instance by the tree pattern of WAI-ARIA: one stop of the Tab key, arrow keys, Home, End, `*`, and the first letters of a name. Enter opens the
 * object in the panel. Of thousands of lines those in the window are drawn.
 */
export function TreeView({
  tree,
  opened,
  onOpened,
  chosen,
  onChoose,
}: {
  tree: ResourceNode;
  opened: OpenState;
  /** Opens or closes lines. */
  onOpened: (ids: readonly string[], isOpen: boolean) => void;
  /** The id of the line that is open in the panel. */
  chosen: string | undefined;
  onChoose: (node: ResourceNode) => void;
}) {
  const rows = treeRows(tree, opened);
  const nowMs = useNow(5_000);
  const { ref, first, last, before, after } = useVirtualRows<HTMLDivElement>(rows.length, LINE_PX);
  const [active, setActive] = useActiveLine(chosen, tree.id);
  const at = Math.max(
    0,
    rows.findIndex(({ node }) => node.id === active),
  );
  const focus = useFocusOn(ref, rows, active);
  const typed = useTyped();
  const toggle = useCallback((id: string, isOpen: boolean) => onOpened([id], isOpen), [onOpened]);
  const go = (id: string | undefined) => {
    if (id === undefined) return;
    setActive(id);
    focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[at];
    if (row === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      if (row.node.address !== undefined) onChoose(row.node);
      else toggle(row.node.id, !row.isOpen);
      return;
    }
    const step = treeStep(event.key, rows, row.node.id);
    const isLetter = event.key.length === 1 && /[\p{L}\p{N}]/u.test(event.key);
    // These two go through the objects while one is open: see use-object-keys.
    const isTaken = chosen !== undefined && (event.key === 'j' || event.key === 'k');
    if (step === undefined && (!isLetter || isTaken)) return;
    event.preventDefault();
    if (step === undefined) go(typedAhead(rows, row.node.id, typed(event.key)));
    else if ('go' in step) go(step.go);
    else if ('open' in step) onOpened(step.open, true);
    else onOpened([step.close], false);
  };
  // Until the line with the focus is drawn again, Tab leads to the first that is.
  const stop = at >= first && at < last ? at : first;
  return (
    <div
      ref={ref}
      role="tree"
      aria-label="Resources"
      onKeyDown={onKeyDown}
      style={{ paddingTop: before, paddingBottom: after }}
    >
      {rows.slice(first, last).map((row, index) => (
        <ResourceLine
          key={row.node.id}
          node={row.node}
          level={row.level}
          position={row.position}
          siblings={row.siblings}
          isOpen={row.isOpen}
          nowMs={nowMs}
          isChosen={row.node.id === chosen}
          isStop={first + index === stop}
          onFocus={setActive}
          onToggle={toggle}
          onChoose={onChoose}
        />
      ))}
    </div>
  );
}

/** The line that has the focus, or gets it: who went on in the panel comes back to the line of that object. */
function useActiveLine(chosen: string | undefined, first: string) {
  const [active, setActive] = useState(chosen ?? first);
  useEffect(() => {
    if (chosen !== undefined) setActive(chosen);
  }, [chosen]);
  return [active, setActive] as const;
}

/** Gives the focus to the active line as soon as it is drawn; one outside of the window is scrolled to first. */
function useFocusOn(tree: { readonly current: HTMLDivElement | null }, rows: readonly TreeRow[], active: string) {
  const isWanted = useRef(false);
  useEffect(() => {
    const element = tree.current;
    if (element === null || !isWanted.current) return;
    const line = element.querySelector<HTMLElement>(`[data-line="${CSS.escape(active)}"]`);
    if (line !== null) {
      isWanted.current = false;
      line.focus();
      return;
    }
    const at = rows.findIndex(({ node }) => node.id === active);
    if (at < 0) return;
    const top = element.getBoundingClientRect().top + at * LINE_PX;
    window.scrollBy(0, top - window.innerHeight / 2);
  });
  return () => {
    isWanted.current = true;
  };
}

/** What was typed until now, with one more letter; a pause begins anew. */
function useTyped(): (letter: string) => string {
  const typed = useRef({ text: '', atMs: 0 });
  return (letter) => {
    const nowMs = systemClock.monotonic();
    const text = nowMs - typed.current.atMs > TYPING_MS ? letter : typed.current.text + letter;
    typed.current = { text, atMs: nowMs };
    return text;
  };
}
