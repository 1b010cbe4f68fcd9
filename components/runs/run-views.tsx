'use client';

import { useUrlState } from '@/components/resources/use-url-state';
import { type ViewTab, ViewTabs } from '@/components/ui/view-tabs';
import type { RunRow } from '@/lib/kudo/view/run-row';
import type { StepLine, TreeLine } from '@/lib/kudo/view/run-tree-lines';
import { ChangesView } from './changes-view';
import { GraphView } from './graph-view';
import { KeptLogView } from './kept-log-view';
import { ObjectsView } from './objects-view';
import { OutputsView } from './outputs-view';
import { RunEventsView } from './run-events-view';
import { SteeringList } from './steering-list';
import { StepPanel } from './step-panel';
import { TimelineView } from './timeline-view';

interface RunViewsProps {
  row: RunRow;
  lines: readonly TreeLine[];
  /** The chosen step, else the one that runs. */
  shown: StepLine | undefined;
  deleted: boolean;
}

/** What is known of a run, in tabs: the shown step, what changed, outputs, events, and what its record keeps. */
export function RunViews(props: RunViewsProps) {
  const [wanted, choose] = useUrlState('view');
  const tabs = tabsOf(props.row);
  const chosen = tabs.find(({ key }) => key === wanted)?.key ?? 'steps';
  return (
    <section className="card min-w-0 overflow-clip" aria-label="The run in detail">
      <ViewTabs
        label="Views of the run"
        tabs={tabs}
        chosen={chosen}
        onChoose={(key) => choose(key === 'steps' ? '' : key)}
      >
        <View {...props} view={chosen} onView={choose} />
      </ViewTabs>
    </section>
  );
}

function View({
  row,
  lines,
  shown,
  deleted,
  view,
  onView,
}: RunViewsProps & { view: string; onView: (view: string) => void }) {
  switch (view) {
    case 'graph':
      return <GraphView row={row} lines={lines} />;
    case 'timeline':
      return <TimelineView row={row} lines={lines} />;
    case 'changes':
      return <ChangesView run={row.run} />;
    case 'outputs':
      return <OutputsView run={row.run} />;
    case 'events':
      return <RunEventsView row={row} />;
    case 'log':
      return <KeptLogView row={row} />;
    case 'objects':
      return <ObjectsView row={row} />;
    default:
      return (
        <>
          {shown !== undefined && (
            <StepPanel row={row} line={shown} deleted={deleted} onObjects={() => onView('objects')} />
          )}
          {lines.length === 0 && <p className="p-4 text-ink-2">The steps are shown here as soon as they are known.</p>}
          <SteeringList run={row.run} />
        </>
      );
  }
}

/** Log and objects are in a Secret that is written when the run ends. */
function tabsOf({ run, isOver }: RunRow): ViewTab[] {
  const { changes = [], outputs = [], recordName, operatorVersionBefore } = run.status ?? {};
  const count = (number: number) => (number === 0 ? {} : { note: String(number) });
  const hasRecord = isOver && recordName !== undefined;
  return [
    { key: 'steps', label: 'Steps' },
    { key: 'graph', label: 'Graph' },
    { key: 'timeline', label: 'Timeline' },
    { key: 'changes', label: 'Changes', ...count(changes.length + (operatorVersionBefore === undefined ? 0 : 1)) },
    { key: 'outputs', label: 'Outputs', ...count(outputs.length) },
    { key: 'events', label: 'Events' },
    ...(hasRecord
      ? [
          { key: 'log', label: 'Log' },
          { key: 'objects', label: 'Objects' },
        ]
      : []),
  ];
}
