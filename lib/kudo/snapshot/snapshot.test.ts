import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@/lib/json/json';
import type { PlanRunStatus } from '@/lib/kudo/runs/plan-run';
import type { RunRecord } from '@/lib/kudo/runs/record-format';
import { testRun } from '@/lib/kudo/runs/runs-fixture';
import { readSnapshotHead, type SnapshotSource, snapshotHtml, snapshotProblem } from './snapshot';

const EVIL = `</pre></title><script>alert(1)</script><img src="https://evil.example/x" onerror='alert(1)'>&amp;`;

const status: PlanRunStatus = {
  status: 'FATAL_ERROR',
  message: EVIL,
  startedAt: '2026-01-01T00:00:00Z',
  finishedAt: '2026-01-01T00:00:10Z',
  phases: [
    {
      name: 'main',
      steps: [
        { name: 'load', status: 'COMPLETE', startedAt: '2026-01-01T00:00:00Z', seconds: 5 },
        { name: EVIL, status: 'FATAL_ERROR', startedAt: '2026-01-01T00:00:05Z', seconds: 5, message: EVIL },
      ],
    },
  ],
  changes: [
    { name: 'SIZE', before: '1', after: EVIL },
    { name: 'PASSWORD', before: 'aaaaaaaa:1111', after: 'aaaaaaaa:2222', secret: true },
  ],
  outputs: [{ type: 'backup', name: 'monday', size: 2048, verified: true }],
  steering: [{ at: '2026-01-01T00:00:02Z', event: 'Paused', by: EVIL, message: EVIL }],
};

const record: RunRecord = {
  tasks: [
    {
      phase: 'main',
      step: 'load',
      task: 't',
      objects: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'c', change: 'changed', diff: { data: { a: EVIL } } }],
      manifests: [],
    },
  ],
  failure: {
    explanation: {
      cause: 'job-failed',
      headline: '',
      paragraph: 'Job load failed.',
      chain: [{ kind: 'log', text: EVIL }],
      advice: '',
    },
    events: [{ object: 'Pod/p', reason: 'BackOff', message: EVIL, time: '2026-01-01T00:00:06Z', count: 3 }],
    logs: [{ pod: 'p', container: 'c', text: EVIL }],
  },
};

const source: SnapshotSource = {
  run: testRun(1, status, { reason: EVIL }),
  record: record as unknown as JsonObject,
  version: '1.0',
  nowMs: 0,
};

const verify = (text: string, other: SnapshotSource = source) => {
  const head = readSnapshotHead(text);
  return head === undefined ? 'no head' : snapshotProblem(text, head, other);
};

describe('the snapshot of a run', () => {
  const text = snapshotHtml(source);

  it('has no script and asks nobody for anything, whatever is in the texts of the run', () => {
    const tags = [...text.matchAll(/<\/?([a-z0-9]+)/gi)].map(([, tag]) => tag);
    const known =
      'html head meta title style body main section h1 h2 h3 p dl dt dd ul ol li table thead tbody tr th td span div i br code pre footer';
    expect(tags.filter((tag) => !known.split(' ').includes(tag ?? ''))).toEqual([]);
    expect(text).not.toMatch(/<[^>]+\s(?:src|href|on\w+)\s*=/i);
    expect(text).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
  });

  it('has steps, parameters, explanation, objects, outputs, steering, events and log, and of a secret value nothing', () => {
    for (const part of [
      'Steps',
      'Parameters',
      'Why it failed',
      'Objects',
      'Outputs',
      'What people did',
      'Events',
      'Log',
    ]) {
      expect(text).toContain(`<h2>${part}</h2>`);
    }
    expect(text).toContain('Job load failed.');
    expect(text).toContain('style="left:50.00%;width:50.00%"');
    expect(text).not.toContain('aaaaaaaa');
  });

  it('of a run without a signature says so', () => {
    expect(readSnapshotHead(text)?.signature).toBeUndefined();
    expect(text).toContain('It is not signed.');
  });

  it('of a run that is over is the same whenever it is taken, and is verified', () => {
    expect(snapshotHtml({ ...source, nowMs: 99_000_000 })).toBe(text);
    expect(verify(text)).toBeUndefined();
  });

  it('is not verified when a single character of it was changed', () => {
    expect(verify(text.replace('Job load failed.', 'Job load worked.'))).toContain('was changed');
  });

  it('is not verified when the record of the run says something else', () => {
    expect(verify(text, { ...source, record: undefined })).toContain('was changed');
  });

  it('of another run of the same name is not verified', () => {
    const run = { ...source.run, metadata: { ...source.run.metadata, uid: 'other' } };
    expect(verify(text, { ...source, run })).toContain('another one (uid other, not run 1)');
  });

  it('of another version of Bravo says so', () => {
    expect(verify(text, { ...source, version: '2.0' })).toContain('made by Bravo 1.0 and this is 2.0');
  });

  it('of a run that is under way says when it was taken, and cannot be verified', () => {
    const running = { ...source, run: testRun(1, { ...status, status: 'IN_PROGRESS' }) };
    const taken = snapshotHtml(running);
    expect(readSnapshotHead(taken)?.takenAt).toBe('1970-01-01T00:00:00Z');
    expect(verify(taken, running)).toContain('was taken while the run was under way');
  });
});

describe('the head of a snapshot', () => {
  it('is not found in another file', () => {
    expect(readSnapshotHead('<html></html>')).toBeUndefined();
    expect(readSnapshotHead('<meta name="bravo-run-snapshot" content="{}">')).toBeUndefined();
  });

  it('is not believed when it would steer a terminal', () => {
    const evil =
      '{&#34;namespace&#34;:&#34;\\u001b[2J&#34;,&#34;name&#34;:&#34;n&#34;,&#34;uid&#34;:&#34;u&#34;,&#34;version&#34;:&#34;1&#34;}';
    expect(readSnapshotHead(`<meta name="bravo-run-snapshot" content="${evil}">`)).toBeUndefined();
  });
});
