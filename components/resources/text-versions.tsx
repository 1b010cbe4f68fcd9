import { diffLines } from 'diff';
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
  const lines: Line[] = [];
  const add = (l: string | undefined, r: string | undefined) => lines.push({ key: lines.length, left: l, right: r });
  const parts = diffLines(left, right);
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at];
    if (part === undefined) continue;
    const own = linesOf(part.value);
    if (part.removed) {
      const next = parts[at + 1];
      const added = next?.added === true ? linesOf(next.value) : [];
      for (let row = 0; row < Math.max(own.length, added.length); row++) add(own[row], added[row]);
      if (next?.added === true) at++;
    } else if (part.added) {
      for (const line of own) add(undefined, line);
    } else {
      const isShort = own.length <= 2 * CONTEXT + 1;
      const head = at === 0 ? [] : own.slice(0, CONTEXT);
      const tail = at === parts.length - 1 ? [] : own.slice(-CONTEXT);
      for (const line of isShort ? own : [...head, '⋯', ...tail]) add(line, line);
    }
  }
  return lines;
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
