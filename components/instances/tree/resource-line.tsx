import { ChevronRight } from 'lucide-react';
import { memo } from 'react';
import { classNames } from '@/components/ui/class-names';
import { StatusMark } from '@/components/ui/status';
import { Tag } from '@/components/ui/tag';
import { Age } from '@/components/ui/time-ago';
import { type ResourceNode, whyOf } from '@/lib/kudo/tree/resource-node';
import { formatTopic } from '@/lib/live/topic';

const INDENT_PX = 20;

interface TreeLineProps {
  readonly node: ResourceNode;
  readonly level: number;
  readonly position: number;
  readonly siblings: number;
  readonly isOpen: boolean;
  /** Server time, which ages are relative to. */
  readonly nowMs: number;
  readonly isChosen: boolean;
  /** The one line that the Tab key stops at. */
  readonly isStop: boolean;
  readonly onFocus: (id: string) => void;
  readonly onToggle: (id: string, isOpen: boolean) => void;
  readonly onChoose: (node: ResourceNode) => void;
}

/** A line of the tree: its state, what it is, why it is so, and its age. A click opens the object, on a group its children. */
export const ResourceLine = memo(function ResourceLine(props: TreeLineProps) {
  const { node, level, position, siblings, isOpen, nowMs, isChosen, isStop, onFocus, onToggle, onChoose } = props;
  const hasChildren = node.children.length > 0;
  const toggle = () => onToggle(node.id, !isOpen);
  const open = () => (node.address === undefined ? toggle() : onChoose(node));
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
      data-object={node.address === undefined ? undefined : formatTopic(node.address)}
      data-status={node.status}
      onFocus={() => onFocus(node.id)}
      onClick={open}
      style={{ paddingInlineStart: 8 + Math.min(level - 1, 8) * INDENT_PX }}
      className={classNames(
        'group grid min-h-9 cursor-pointer grid-cols-[20px_18px_minmax(0,1fr)_auto] items-center gap-x-2 border-b py-0.5 pe-4 focus-visible:-outline-offset-2',
        isChosen ? 'bg-accent-soft' : 'hover:bg-sunken',
        (node.sort === 'phase' || node.sort === 'others') && 'bg-sunken',
      )}
    >
      {hasChildren ? (
        <span
          className="grid size-6 -translate-x-0.5 place-items-center rounded-md text-ink-3 hover:bg-line"
          aria-hidden="true"
          onClick={(event) => {
            event.stopPropagation();
            toggle();
          }}
        >
          <ChevronRight size={14} className={classNames('transition-transform', isOpen && 'rotate-90')} />
        </span>
      ) : (
        <span />
      )}
      {node.sort === 'refused' ? <span /> : <StatusMark status={node.status} />}
      <LineText node={node} isOpen={isOpen} />
      <span className="num ps-3 text-ink-3 text-xs max-sm:hidden">
        <LineTime node={node} nowMs={nowMs} />
      </span>
    </div>
  );
});

/** When the run of a task began; how old an object is. */
function LineTime({ node, nowMs }: { node: ResourceNode; nowMs: number }) {
  if (node.sort === 'task') {
    const at = node.by?.at ?? '';
    return at === '' ? null : (
      <>
        applied <Age at={at} nowMs={nowMs} suffix=" ago" />
      </>
    );
  }
  return (node.createdAt ?? '') === '' ? null : <Age at={node.createdAt} nowMs={nowMs} />;
}

function LineText({ node, isOpen }: { node: ResourceNode; isOpen: boolean }) {
  const why = whyOf(node);
  const isGroup = node.sort === 'phase' || node.sort === 'task' || node.sort === 'others';
  const counted = isOpen || node.children.length === 0 ? '' : countText(node);
  if (node.sort === 'refused') return <span className="text-wait">{node.name}</span>;
  return (
    <span className="grid min-w-0 sm:flex sm:items-baseline sm:gap-x-2.5">
      <span className="flex min-w-0 shrink-0 items-baseline gap-x-1.5 sm:max-w-[75%]">
        {node.kind !== '' && <span className="shrink-0 text-ink-2">{node.kind}</span>}
        <span className={classNames('min-w-0 truncate', isGroup ? 'font-medium' : 'font-semibold')} title={node.name}>
          {node.name}
        </span>
        {node.fact !== '' && <span className="shrink-0 text-ink-3 text-xs">{node.fact}</span>}
        {counted !== '' && <span className="shrink-0 text-ink-3 text-xs">{counted}</span>}
        {node.drift !== undefined && node.sort === 'object' && <Tag>changed outside</Tag>}
      </span>
      {why !== '' && node.status !== 'healthy' && (
        <span
          className={classNames('min-w-0 truncate text-xs', node.status === 'FATAL_ERROR' ? 'text-fail' : 'text-ink-2')}
          title={why}
        >
          {why}
        </span>
      )}
    </span>
  );
}

/** `12 inside`, `12 inside, 1 not healthy`: of a line that is closed. */
function countText({ sort, objects, unhealthy, rank }: ResourceNode): string {
  const isObject = sort === 'object';
  const inside = objects - (isObject ? 1 : 0);
  const bad = unhealthy - (isObject && rank > 0 && unhealthy > 0 ? 1 : 0);
  if (inside <= 0) return '';
  return bad > 0 ? `${inside} inside, ${bad} not healthy` : `${inside} inside`;
}
