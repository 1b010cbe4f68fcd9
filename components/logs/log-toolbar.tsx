'use client';

import { ChevronDown, ChevronUp, Download } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Chip } from '@/components/ui/chip';
import { CopyButton } from '@/components/ui/copy-button';
import { SearchInput } from '@/components/ui/search-input';
import type { LogRange } from './log-options';
import { RangeFields } from './range-fields';

/** How lines are shown. */
export interface LogView {
  readonly query: string;
  readonly isPattern: boolean;
  /** Only lines that the search finds. */
  readonly filters: boolean;
  readonly hasTimes: boolean;
  readonly wraps: boolean;
  readonly layout: 'merged' | 'beside';
}

/** Everything that can be chosen about a log. */
export function LogToolbar(props: {
  view: LogView;
  onView: (change: Partial<LogView>) => void;
  range: LogRange;
  onRange: (change: Partial<LogRange>) => void;
  /** What the search has found; undefined while nothing is searched. */
  found: string | undefined;
  problem: string | undefined;
  /** Undefined when there is no place to go to. */
  onStep: ((by: 1 | -1) => void) | undefined;
  state: string;
  canBeBeside: boolean;
  hasPrevious: boolean;
  text: () => string;
  fileName: string;
  children: ReactNode;
}) {
  const { view, onView, range, onRange, found, problem, onStep, state, text, fileName } = props;
  const [hasRange, setHasRange] = useState(false);
  return (
    <div className="grid gap-2 border-b px-4 py-2">
      <div className="flex flex-wrap items-center gap-2">
        {props.children}
        <SearchInput
          label="Find in lines"
          className="max-w-[240px]"
          value={view.query}
          aria-invalid={problem === undefined ? undefined : true}
          onChange={(query) => onView({ query })}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            onStep?.(event.shiftKey ? -1 : 1);
          }}
        />
        <Step
          label="Previous match"
          icon={<ChevronUp size={14} aria-hidden="true" />}
          onPress={onStep && (() => onStep(-1))}
        />
        <Step
          label="Next match"
          icon={<ChevronDown size={14} aria-hidden="true" />}
          onPress={onStep && (() => onStep(1))}
        />
        {found !== undefined && <span className="text-ink-2 text-xs tabular-nums">{found}</span>}
        <span className="ms-auto flex items-center gap-1 text-ink-2 text-xs">
          {state}
          <CopyButton label="Copy all lines" text={text} />
          <Button
            size="small"
            variant="quiet"
            iconOnly
            icon={<Download size={14} aria-hidden="true" />}
            onClick={() => download(fileName, text())}
          >
            Download these lines
          </Button>
        </span>
      </div>
      {problem !== undefined && <p className="text-fail text-xs">{problem}</p>}
      <div className="flex flex-wrap items-center gap-2">
        <Chip pressed={view.isPattern} onClick={() => onView({ isPattern: !view.isPattern })}>
          Regular expression
        </Chip>
        <Chip pressed={view.filters} onClick={() => onView({ filters: !view.filters })}>
          Only matches
        </Chip>
        <Chip pressed={view.hasTimes} onClick={() => onView({ hasTimes: !view.hasTimes })}>
          Timestamps
        </Chip>
        <Chip pressed={view.wraps} onClick={() => onView({ wraps: !view.wraps })}>
          Wrap
        </Chip>
        {props.canBeBeside && (
          <Chip
            pressed={view.layout === 'beside'}
            onClick={() => onView({ layout: view.layout === 'beside' ? 'merged' : 'beside' })}
          >
            Side by side
          </Chip>
        )}
        <Chip
          pressed={range.previous}
          disabled={!props.hasPrevious && !range.previous}
          onClick={() => onRange({ previous: !range.previous })}
        >
          Before restart
        </Chip>
        <Chip pressed={hasRange} aria-expanded={hasRange} onClick={() => setHasRange(!hasRange)}>
          {range.since === '' ? `Last ${range.lines.toLocaleString('en')} lines` : 'Time range'}
        </Chip>
      </div>
      {hasRange && <RangeFields range={range} onRange={onRange} />}
    </div>
  );
}

function Step({ label, icon, onPress }: { label: string; icon: ReactNode; onPress: (() => void) | undefined }) {
  return (
    <Button
      size="small"
      variant="quiet"
      iconOnly
      icon={icon}
      disabledReason={onPress === undefined ? 'The search has found nothing.' : undefined}
      onClick={onPress}
    >
      {label}
    </Button>
  );
}

/** Saves a text as a file of the person. */
function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
