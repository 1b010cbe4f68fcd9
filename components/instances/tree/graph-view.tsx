'use client';

import { useState } from 'react';
import { classNames } from '@/components/ui/class-names';
import { StatusMark } from '@/components/ui/status';
import { type ResourceNode, whyOf } from '@/lib/kudo/tree/resource-node';
import { type GraphNode, treeGraph } from '@/lib/kudo/tree/tree-graph';
import { formatTopic } from '@/lib/live/topic';

interface GraphProps {
  readonly chosen: string | undefined;
  readonly onChoose: (node: ResourceNode) => void;
  readonly onOpen: (id: string) => void;
}

/** The tree drawn from left to right, phase by phase: tasks, their objects, and the children of these. At most some hundred of them; a button shows hidden ones. */
export function TreeGraph({ tree, chosen, onChoose }: { tree: ResourceNode } & Omit<GraphProps, 'onOpen'>) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const onOpen = (id: string) => setOpened((before) => new Set([...before, id]));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <section aria-label="Graph of the resources" tabIndex={0} className="grid gap-5 overflow-x-auto p-4">
      {treeGraph(tree, opened).map((phase) => (
        <div key={phase.node.id} data-phase={phase.node.name}>
          <h2 className="flex items-center gap-2 pb-1 font-semibold text-sm">
            <StatusMark status={phase.node.status} />
            {phase.node.kind} {phase.node.name}
          </h2>
          <ul className="ms-2">
            <Children parent={phase} chosen={chosen} onChoose={onChoose} onOpen={onOpen} />
          </ul>
        </div>
      ))}
    </section>
  );
}

/** Lines of 22 px height lead to the middle of each box. */
const BRANCH =
  'relative flex items-start py-1 ps-6 before:absolute before:start-0 before:top-[22px] before:w-6 before:border-t before:border-line-strong after:absolute after:start-0 after:top-0 after:bottom-0 after:border-s after:border-line-strong last:after:bottom-auto last:after:h-[22px]';

function Children({ parent, chosen, onChoose, onOpen }: { parent: GraphNode } & GraphProps) {
  const { node, children, hidden, isFull } = parent;
  return (
    <>
      {children.map((child) => (
        <li key={child.node.id} className={BRANCH}>
          <Box node={child.node} isChosen={isChosen(child.node, chosen)} onChoose={onChoose} />
          {(child.children.length > 0 || child.hidden > 0) && (
            <ul className="relative -mt-1 ms-4 before:absolute before:-start-4 before:top-[22px] before:w-4 before:border-line-strong before:border-t">
              <Children parent={child} chosen={chosen} onChoose={onChoose} onOpen={onOpen} />
            </ul>
          )}
        </li>
      ))}
      {hidden > 0 && (
        <li className={BRANCH}>
          {isFull ? (
            <span className="flex h-9 items-center text-ink-2">{hidden} more are in the tree</span>
          ) : (
            <button
              type="button"
              onClick={() => onOpen(node.id)}
              className="h-9 whitespace-nowrap rounded-md border border-dashed px-3 text-ink-2 hover:bg-sunken"
            >
              {hidden} hidden<span className="sr-only"> below {node.name}</span>
            </button>
          )}
        </li>
      )}
    </>
  );
}

function Box({
  node,
  isChosen: isPressed,
  onChoose,
}: {
  node: ResourceNode;
  isChosen: boolean;
  onChoose: (node: ResourceNode) => void;
}) {
  const why = whyOf(node);
  const content = (
    <>
      <StatusMark status={node.status} />
      <span className="min-w-0">
        {node.kind !== '' && <span className="text-ink-3">{node.kind} </span>}
        <span className="font-medium">{node.name}</span>
      </span>
      {why !== '' && <span className="sr-only">{why}</span>}
    </>
  );
  const look = classNames(
    'flex min-h-9 w-[230px] min-w-0 shrink-0 items-center gap-2 rounded-md border bg-surface px-2.5 py-1 text-start leading-tight',
    node.rank >= 2 && 'border-current',
    node.rank === 2 && 'text-wait',
    node.rank === 3 && 'text-fail',
  );
  if (node.address === undefined) {
    return (
      <span className={classNames(look, 'bg-sunken')} title={why}>
        {content}
      </span>
    );
  }
  return (
    <button
      type="button"
      aria-pressed={isPressed}
      data-object={formatTopic(node.address)}
      title={why}
      onClick={() => onChoose(node)}
      className={classNames(look, isPressed ? 'border-accent bg-accent-soft' : 'hover:bg-sunken')}
    >
      {content}
    </button>
  );
}

function isChosen({ address }: ResourceNode, chosen: string | undefined): boolean {
  return address !== undefined && formatTopic(address) === chosen;
}
