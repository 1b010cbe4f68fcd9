import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { formatRunQueue, QUEUE_ANNOTATION } from '@/lib/kudo/queue/run-queue';
import { testRun } from '@/lib/kudo/runs/runs-fixture';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { readYaml } from '@/lib/yaml/yaml';
import { approvalCommands } from './approval-commands';
import { queueCommands } from './queue-commands';
import { shellLine, shellQuote } from './shell-quote';
import { type CopiedStart, startCommands } from './start-commands';
import { steerCommands } from './steer-commands';
import { undoCommands } from './undo-commands';

const version: OperatorVersion = {
  apiVersion: 'kudo.dev/v1beta1',
  kind: 'OperatorVersion',
  metadata: { name: 'pg-1' },
  spec: {
    operator: { name: 'pg' },
    version: '1',
    parameters: [
      { name: 'SIZE', trigger: 'resize' },
      { name: 'PASSWORD', trigger: 'rotate' },
      { name: 'NOTE', default: 'x' },
    ],
    plans: Object.fromEntries(
      ['deploy', 'update', 'resize', 'rotate', 'backup'].map((plan) => [
        plan,
        { strategy: 'serial', phases: [{ name: 'main', strategy: 'serial', steps: [] }] },
      ]),
    ),
  },
};

const instance: Instance = {
  apiVersion: 'kudo.dev/v1beta1',
  kind: 'Instance',
  metadata: { name: 'pg', namespace: 'shop', resourceVersion: '7' },
  spec: { operatorVersion: { name: 'pg-1' }, parameters: { SIZE: '1' } },
};

const commandsOf = (start: Partial<CopiedStart>) =>
  startCommands({ instance, operatorVersion: version, uid: 'the-uid', ...start });

describe('a word of the shell', () => {
  it.each(["it's", 'two\nlines', '$HOME `id` $(id)', '"quoted"', '\\', '', '*', '!x', '-n', 'ä', "'"])(
    'arrives at the program as %j',
    (text) => {
      const printed = execFileSync('sh', ['-c', `printf '%s' ${shellQuote(text)}`], { encoding: 'utf8' });
      expect(printed).toBe(text);
    },
  );

  it('is left as it is when nothing in it has a meaning', () => {
    expect(shellLine(['kubectl', 'get', 'pods', '-n', 'shop'])).toBe('kubectl get pods -n shop');
  });
});

describe('the start of a plan as a command', () => {
  it('carries the plan, the reason and the phase to stop after', () => {
    const { kubectl, bravo, yaml } = commandsOf({
      plan: 'backup',
      wishes: { reason: "Ann's sale", stopAfter: 'main' },
    });
    expect(bravo).toBe(
      `bravo plan trigger --instance pg --name backup --stop-after main --reason 'Ann'\\''s sale' -n shop`,
    );
    const request = JSON.stringify({ plan: 'backup', reason: "Ann's sale", stopAfter: 'main' });
    const patch = {
      metadata: { annotations: { 'bravo.kudo.dev/request': request } },
      spec: { planExecution: { planName: 'backup', uid: 'the-uid', status: 'NEVER_RUN' } },
    };
    expect(kubectl).toBe(
      `kubectl patch instances.kudo.dev pg -n shop --type merge -p ${shellQuote(JSON.stringify(patch))}`,
    );
    expect(readYaml(yaml)).toEqual({ ok: true, value: patch });
    expect(yaml).toMatch(/^# kubectl patch instances.kudo.dev pg -n shop --type merge --patch-file FILE\n/);
  });

  it('carries the confirmation of a destructive plan only when it was given', () => {
    expect(commandsOf({ plan: 'backup', confirm: 'backup/pg' }).bravo).toContain('--confirm backup/pg');
    expect(commandsOf({ plan: 'backup' }).kubectl).not.toContain('confirm');
  });

  it('with parameters is an edit when the edit starts the plan, and else nothing that bravo can do', () => {
    const edit = commandsOf({ plan: 'resize', parameters: { SIZE: '3' } });
    expect(edit.kubectl).toContain(`'{"spec":{"parameters":{"SIZE":"3"}}}'`);
    expect(edit.bravo).toBe('bravo update --instance pg -p SIZE=3 -n shop');
    expect(commandsOf({ plan: 'backup', parameters: { NOTE: 'a' } }).bravo).toHaveProperty('unavailable');
  });

  it('that repeats a run names the run', () => {
    const { kubectl, bravo } = commandsOf({ plan: 'backup', wishes: { retryOf: 'pg-backup-3' } });
    expect(bravo).toBe('bravo run retry pg-backup-3 -n shop');
    expect(kubectl).toContain('\\"retryOf\\":\\"pg-backup-3\\"');
  });
});

describe('an edit of parameters as a command', () => {
  it('takes a value back with null, which bravo cannot', () => {
    const { kubectl, bravo } = commandsOf({ parameters: { SIZE: null } });
    expect(kubectl).toContain(`'{"spec":{"parameters":{"SIZE":null}}}'`);
    expect(bravo).toEqual({ unavailable: 'bravo cannot set SIZE to the default or to nothing.' });
  });

  it.each([false, true])('never holds a secret value (inline: %s)', (inline) => {
    const copied = commandsOf({ parameters: { PASSWORD: 'hunter2' }, inline });
    const all = JSON.stringify(copied);
    expect(all).not.toContain('hunter2');
    expect(all).toContain('<value of PASSWORD>');
  });

  it('writes a new secret value into a Secret first, and names the state whose sources it replaces', () => {
    const { kubectl, bravo } = commandsOf({ parameters: { PASSWORD: 'hunter2' } });
    const create = `kubectl create secret generic pg-parameters -n shop '--from-literal=PASSWORD=<value of PASSWORD>' &&\n`;
    expect(kubectl.startsWith(`${create}kubectl patch instances.kudo.dev pg`)).toBe(true);
    expect(kubectl).toContain('"resourceVersion":"7"');
    expect(bravo).toBe(
      `${create}bravo update --instance pg --parameter-from PASSWORD=secret/pg-parameters/PASSWORD -n shop`,
    );
  });

  it('of a value that is in a Secret already says the reason on the Instance, and then writes the Secret', () => {
    const parametersFrom = [{ name: 'PASSWORD', secretKeyRef: { name: 'own', key: 'pw' } }];
    const sourced = { ...instance, spec: { ...instance.spec, parametersFrom } };
    const start = { instance: sourced, parameters: { PASSWORD: 'hunter2' }, wishes: { reason: 'leak' } };
    const { kubectl, bravo } = commandsOf(start);
    expect(kubectl.split(' &&\n')).toEqual([
      expect.stringContaining('bravo.kudo.dev/request'),
      `kubectl patch secret own -n shop --type merge -p '{"stringData":{"pw":"<value of PASSWORD>"}}'`,
    ]);
    expect(bravo).toHaveProperty('unavailable');
  });
});

describe('steering as a command', () => {
  it('is the verb of bravo, and the field of the PlanRun', () => {
    const { kubectl, bravo } = steerCommands(testRun(4), { do: 'pause' }, undefined);
    expect(bravo).toBe('bravo run pause db-backup-4 -n n');
    expect(kubectl).toBe(
      `kubectl patch planruns.bravo.kudo.dev db-backup-4 -n n --type merge -p '{"spec":{"paused":true}}'`,
    );
  });

  it('that lets a run go on takes back only a stop that it has come to', () => {
    const phases = [{ name: 'main', status: 'IN_PROGRESS' as const, steps: [] }];
    const held = testRun(4, { status: 'Paused' }, { paused: true, stopAfter: 'main' });
    expect(steerCommands(held, { do: 'resume' }, phases).kubectl).toContain(`'{"spec":{"paused":false}}'`);
    const stopped = testRun(4, { status: 'Paused' }, { stopAfter: 'main' });
    expect(steerCommands(stopped, { do: 'resume' }, phases).kubectl).toContain('"stopAfter":""');
  });

  it('carries the reason of a skipped step', () => {
    const wish = { do: 'skip', phase: 'main', step: 'load', reason: 'costs $5' } as const;
    expect(steerCommands(testRun(4), wish, undefined).bravo).toBe(
      `bravo run skip db-backup-4 --phase main --step load --reason 'costs $5' -n n`,
    );
  });
});

describe('a change of the queue as a command', () => {
  const entryOf = (plan: string) => ({ plan, uid: plan, cause: 'Manual' as const, at: '2026-01-01T00:00:00Z' });
  const text = (...plans: string[]) => formatRunQueue({ entries: plans.map(entryOf) });
  const annotations = { [QUEUE_ANNOTATION]: text('backup', 'resize', 'rotate') };
  const queued: Instance = { ...instance, metadata: { ...instance.metadata, annotations } };

  it('names the place, and its patch is refused when the queue has changed since', () => {
    const { kubectl, bravo, yaml } = queueCommands(queued, { do: 'move', plan: 'rotate', to: 1 });
    expect(bravo).toBe('bravo run queue move --instance pg --plan rotate --to 1 -n shop');
    const moved = { [QUEUE_ANNOTATION]: text('rotate', 'backup', 'resize') };
    const patch = { metadata: { resourceVersion: '7', annotations: moved } };
    expect(kubectl).toBe(
      `kubectl patch instances.kudo.dev pg -n shop --type merge -p ${shellQuote(JSON.stringify(patch))}`,
    );
    expect(readYaml(yaml)).toEqual({ ok: true, value: patch });
  });

  it('takes a plan off', () => {
    const { kubectl, bravo } = queueCommands(queued, { do: 'remove', plan: 'resize' });
    expect(bravo).toBe('bravo run queue remove --instance pg --plan resize -n shop');
    expect(kubectl).toContain(shellQuote(JSON.stringify(text('backup', 'rotate'))).slice(1, -1));
  });
});

describe('a decision about a request as a command', () => {
  const approval = { apiVersion: 'a/v1', kind: 'PlanApproval', metadata: { name: 'pg-wipe-1', namespace: 'shop' } };

  it('is the verb of bravo, and a patch of the status, which is a right of its own', () => {
    const { kubectl, bravo, yaml } = approvalCommands(approval, 'approve');
    expect(bravo).toBe('bravo approval approve pg-wipe-1 -n shop');
    const target = 'kubectl patch planapprovals.bravo.kudo.dev pg-wipe-1 -n shop --subresource status --type merge';
    expect(kubectl).toBe(`${target} -p '{"status":{"approvedBy":"me"}}'`);
    expect(yaml).toBe(`# ${target} --patch-file FILE\nstatus:\n  approvedBy: me\n`);
    expect(approvalCommands(approval, 'reject')).toMatchObject({
      bravo: 'bravo approval reject pg-wipe-1 -n shop',
      kubectl: `${target} -p '{"status":{"rejectedBy":"me"}}'`,
    });
  });
});

describe('an undo as a command', () => {
  it('sets back what its dialog shows, and names the run', () => {
    const run = testRun(3, {}, { instanceName: 'pg', plan: 'deploy' });
    const name = run.metadata.name ?? '';
    const changes = [
      { name: 'SIZE', before: '3', after: '1' },
      { name: 'NOTE', before: 'y', after: undefined },
    ];
    const { kubectl, bravo } = undoCommands({
      run,
      preview: { plan: 'resize', changes, version: { from: 'pg-2', to: 'pg-1' } },
      wishes: { reason: 'too large', approval: 'a1', breakLock: 'now' },
      confirm: undefined,
    });
    expect(bravo).toContain(`run undo ${name} --reason 'too large' --break-lock now --approval a1 -n `);
    expect(kubectl).toContain('"spec":{"parameters":{"SIZE":"1","NOTE":null},"operatorVersion":{"name":"pg-1"}}');
    expect(kubectl).toContain(`\\"undoOf\\":\\"${name}\\"`);
    expect(kubectl).toContain('"bravo.kudo.dev/approval":"a1"');
  });
});
