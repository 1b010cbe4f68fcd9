import { type ChangeObject, diffLines } from 'diff';
import { classNames } from '@/components/ui/class-names';

interface Line {
  readonly key: number;
  readonly left: string | undefined;
  readonly right: string | undefined;
}

/** Unchanged lines that stay visible around a change. */
const CONTEXT = 3;

/** Two versions of a text side by side, changed lines marked; under each other on narrow screens. */
export function TextVersions({
  left,
  right,
  leftTitle,
  rightTitle,
}: {
  left: string;
  right: string;
  leftTitle: string;
  rightTitle: string;
}) {
  const lines = alignLines(left, right);
  return (
    <div className="grid gap-px overflow-hidden rounded-md border bg-line sm:grid-cols-2">
      <Column title={leftTitle} lines={lines} side="left" />
      <Column title={rightTitle} lines={lines} side="right" />
    </div>
  );
}

function Column({ title, lines, side }: { title: string; lines: readonly Line[]; side: 'left' | 'right' }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <section aria-label={title} tabIndex={0} className="min-w-0 overflow-x-auto bg-surface">
      <h3 className="sticky left-0 border-b px-3 py-1.5 font-medium text-ink-2 text-xs">{title}</h3>
      <pre className="mono w-max min-w-full py-2 leading-[1.55]">
        {lines.map((line) => (
          <div key={line.key} className={classNames('min-h-[1.55em] px-3', lineLook(line, side))}>
            {line[side] ?? ''}
          </div>
        ))}
      </pre>
    </section>
  );
}

function lineLook(line: Line, side: 'left' | 'right'): string | false {
  if (line.left === line.right) return false;
  if (line[side] === undefined) return 'bg-sunken';
  return side === 'left' ? 'bg-fail-soft' : 'bg-ok-soft';
}

/** Both texts as rows of equal height; long equal stretches shrink to a row with dots. */
export function alignLines(left: string, right: string): Line[] {
  const parts = diffLines(left, right);
  const rows = parts.flatMap((_, index) => rowsOf(parts, index));
  return rows.map((row, key) => ({ ...row, key }));
}

type Row = Omit<Line, 'key'>;

/** The rows of one part. Lines that take the place of removed ones are in the rows of the removed part. */
function rowsOf(parts: readonly ChangeObject<string>[], index: number): Row[] {
  const [before, part, next] = [parts[index - 1], parts[index], parts[index + 1]];
  if (part === undefined) return [];
  const lines = linesOf(part.value);
  if (part.removed) return besides(lines, next?.added === true ? linesOf(next.value) : []);
  if (part.added) return before?.removed === true ? [] : besides([], lines);
  const kept = shortened(lines, before === undefined, next === undefined);
  return besides(kept, kept);
}

function besides(left: readonly string[], right: readonly string[]): Row[] {
  const longer = left.length > right.length ? left : right;
  return longer.map((_, row) => ({ left: left[row], right: right[row] }));
}

/** The lines of an equal stretch that are beside a change. */
function shortened(lines: readonly string[], isFirst: boolean, isLast: boolean): readonly string[] {
  if (lines.length <= 2 * CONTEXT + 1) return lines;
  return [...(isFirst ? [] : lines.slice(0, CONTEXT)), '⋯', ...(isLast ? [] : lines.slice(-CONTEXT))];
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
