import type { ReactNode } from 'react';
import type { StatusShape, Tone } from '@/lib/kudo/view/status-words';
import { classNames } from './class-names';
import { StatusIcon } from './status-icon';
import { toneSoft, toneText } from './tones';

const shapes: { readonly [tone in Tone]: StatusShape } = {
  ok: 'tick',
  run: 'arc',
  wait: 'retry',
  fail: 'octagon',
  hold: 'bars',
  idle: 'question',
};

/** A message inside a page: what happened, why, and what to do. `alert` interrupts screen readers; use it for failures of an action. */
export function Notice({
  tone,
  title,
  children,
  action,
  alert = false,
  className,
}: {
  tone: Tone;
  title: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
  alert?: boolean;
  className?: string;
}) {
  return (
    <div
      role={alert ? 'alert' : undefined}
      className={classNames(
        'flex flex-wrap items-start gap-x-3 gap-y-2 rounded-lg px-4 py-3',
        toneSoft[tone],
        className,
      )}
    >
      <span className={classNames('mt-0.5', toneText[tone])}>
        <StatusIcon shape={shapes[tone]} />
      </span>
      <div className="min-w-0 flex-1 basis-60">
        <div className="font-medium">{title}</div>
        {children !== undefined && <div className="text-ink-2">{children}</div>}
      </div>
      {action}
    </div>
  );
}
