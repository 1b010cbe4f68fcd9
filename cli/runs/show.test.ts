import { expect, it } from 'vitest';
import { testRun } from '@/lib/kudo/runs/runs-fixture';
import { formatTree } from '../support/output';
import { runTree } from './show';

const NOW = Date.parse('2026-01-02T00:00:09Z');
const shown = (...run: Parameters<typeof testRun>) =>
  formatTree(runTree(testRun(...run), NOW))
    .replaceAll('\u00a0', ' ')
    .trimEnd()
    .split('\n');

it('a run that is under way says how long it takes so far, and what is not known is left out', () => {
  expect(shown(2)).toEqual([
    'db-backup-2 (IN_PROGRESS, 9s)',
    '├── plan backup of instance db',
    '├── The plan was started',
    '└── started 2026-01-02T00:00:00Z',
  ]);
});

it('a run shows who asked, why, what changed, each step with its time and attempts, outputs, and steering', () => {
  const step = {
    name: 'save',
    status: 'COMPLETE' as const,
    startedAt: '2026-01-02T00:00:01Z',
    seconds: 3,
    attempts: 2,
    message: 'Skipped: by hand',
  };
  const status = {
    status: 'Paused' as const,
    message: 'Paused before step end of phase two.',
    operatorVersionBefore: 'db-1',
    operatorVersion: 'db-2',
    changes: [
      { name: 'A', before: '1' },
      { name: 'PASSWORD', before: 'k:1', after: 'k:2', secret: true },
    ],
    phases: [
      { name: 'one', status: 'COMPLETE' as const, steps: [step] },
      { name: 'two', message: 'waits', steps: [{ name: 'end' }] },
    ],
    outputs: [
      { type: 'backup', name: 'b1', size: 512, target: 's3', verified: false },
      { type: 'note', name: 'n' },
    ],
    steering: [{ at: '2026-01-02T00:00:02Z', event: 'Skipped', by: 'jane', message: 'by hand' }],
  };
  const spec = { cause: 'Retry' as const, requestedBy: 'jane', reason: 'ticket 7', retryOf: 'db-backup-1' };
  expect(shown(2, status, { ...spec, stopAfter: 'one' })).toEqual([
    'db-backup-2 (Paused, 9s)',
    '├── plan backup of instance db',
    '├── An earlier run is repeated, by jane',
    '├── reason: ticket 7',
    '├── repeats db-backup-1',
    '├── started 2026-01-02T00:00:00Z',
    '├── version db-1 → db-2',
    '├── stops after phase one',
    '├── message: Paused before step end of phase two.',
    '├── parameters',
    '│   ├── A: "1" → (default)',
    '│   └── PASSWORD (secret, fingerprints): "k:1" → "k:2"',
    '├── phases',
    '│   ├── one [COMPLETE]',
    '│   │   └── save [COMPLETE, started 2026-01-02T00:00:01Z, 3 s, 2 attempts]: Skipped: by hand',
    '│   └── two [PENDING]: waits',
    '│       └── end [PENDING]',
    '├── outputs',
    '│   ├── backup b1 (512 bytes, in s3, not verified)',
    '│   └── note n',
    '└── steering',
    '    └── 2026-01-02T00:00:02Z Skipped by jane: by hand',
  ]);
});
