import type { StatusShape } from '@/lib/kudo/view/status-words';
import { classNames } from './class-names';

const RING = 'M8 1.75a6.25 6.25 0 1 1 0 12.5 6.25 6.25 0 0 1 0-12.5z';

/** Paths on 16 × 16 with one stroke; the shapes differ also without colour. */
const paths: { readonly [shape in StatusShape]: readonly string[] } = {
  hollow: [RING],
  dotted: [RING],
  arc: ['M8 1.75a6.25 6.25 0 0 1 6.25 6.25'],
  retry: ['M8 2.2 14.3 13.4H1.7z', 'M8 6.6v3M8 11.5h.01'],
  octagon: ['M5.4 1.9h5.2l3.5 3.5v5.2l-3.5 3.5H5.4l-3.5-3.5V5.4z', 'm6 6 4 4m0-4-4 4'],
  tick: [RING, 'm5.3 8.2 1.9 1.9 3.6-4'],
  hourglass: ['M4.5 2h7M4.5 14h7M5.5 2v2.2L8 8l2.5-3.8V2M5.5 14v-2.2L8 8l2.5 3.8V14'],
  bin: ['M2.8 4.4h10.4M6.2 4.2V2.6h3.6v1.6M4.2 4.6l.6 8.8h6.4l.6-8.8'],
  bars: [RING, 'M6.4 5.8v4.4M9.6 5.8v4.4'],
  hand: [
    'M4.6 8.2V4.4a1.1 1.1 0 0 1 2.2 0v3M6.8 7V3a1.1 1.1 0 0 1 2.2 0v4M9 7V4a1.1 1.1 0 0 1 2.2 0v5.4a4.6 4.6 0 0 1-8.2 2.8L2 9.8',
  ],
  slash: [RING, 'm3.7 12.3 8.6-8.6'],
  chevrons: ['m3.5 4 4 4-4 4M8.5 4l4 4-4 4'],
  diamond: ['M8 1.8 14.2 8 8 14.2 1.8 8z', 'M8 2v12'],
  'broken-link': [
    'M6.6 4.2 8 2.8a3.2 3.2 0 0 1 4.5 4.5l-1.4 1.4M9.4 11.8 8 13.2a3.2 3.2 0 0 1-4.5-4.5l1.4-1.4M3 3l10 10',
  ],
  question: [RING, 'M6.3 6.3a1.75 1.75 0 1 1 2.5 1.6c-.5.2-.8.6-.8 1.2M8 11.3h.01'],
};

/** The icon of a status; the word beside it has the meaning. The arc turns unless motion is reduced. */
export function StatusIcon({ shape, className, size = 16 }: { shape: StatusShape; className?: string; size?: number }) {
  const dashes = shape === 'hollow' ? '2.4 2.2' : shape === 'dotted' ? '0.1 2.7' : undefined;
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className={classNames('shrink-0', className)}
    >
      {shape === 'arc' && <path d={RING} opacity={0.28} />}
      {paths[shape].map((d) => (
        <path
          key={d}
          d={d}
          strokeDasharray={dashes}
          className={shape === 'arc' ? 'origin-center animate-turn' : undefined}
        />
      ))}
    </svg>
  );
}
