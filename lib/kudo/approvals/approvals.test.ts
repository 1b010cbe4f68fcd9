import { describe, expect, it } from 'vitest';
import { stored as storedInstance } from '@/lib/kudo/admission/admit-fixture';
import { formatActedUpon } from '@/lib/kudo/plan/acted-upon';
import { ACTED_UPON_ANNOTATION } from '@/lib/kudo/plan/acted-upon-annotation';
import { fingerprinter } from '@/lib/kudo/secrets/fingerprint';
import { TEST_FINGERPRINTS, TEST_RECORD } from '@/lib/kudo/secrets/fingerprint-fixture';
import type { Instance } from '@/lib/kudo/types';
import { wipingVersion } from '@/test/operators/destructive-operator';
import { approvalDigest } from './approval-digest';
import { askedValues } from './asked-values';
import { type ApprovalRead, judgeApproval, wordsForDialog } from './judge-approval';
import { APPROVAL_ANNOTATION, approvalFor, needsApproval, type PlanApproval, withApproval } from './plan-approval';
import { admitDecision, admitRequest } from './review-approval';

const NOW = '2026-01-01T00:00:00Z';
const version = wipingVersion('v1', { approval: true, parameters: ['FROM'] });
const instance: Instance = withApproval(
  { ...storedInstance({ parameters: { FROM: 'monday' } }), metadata: { ...storedInstance().metadata, uid: 'i-uid' } },
  'a1',
);
const start = { plan: 'wipe', instance, operatorVersion: version };
const author = (by: string | undefined) => ({ by, now: NOW, fingerprints: TEST_FINGERPRINTS });
const sent: PlanApproval = {
  apiVersion: 'bravo.kudo.dev/v1alpha1',
  kind: 'PlanApproval',
  metadata: { name: 'a1', namespace: 'n' },
  spec: { instanceName: 'i', plan: 'wipe', parameters: { FROM: 'monday' }, requestedBy: 'mallory' },
  status: { approvedBy: 'mallory' },
};

function asked(by = 'alice'): PlanApproval {
  const decision = admitRequest(sent, start, author(by));
  if ('denied' in decision) throw new Error(decision.denied);
  // As the API server creates it.
  return { ...decision.approval, metadata: { ...decision.approval.metadata, uid: 'a-uid', creationTimestamp: NOW } };
}
const decide = (stored: PlanApproval, status: object, by: string | undefined) =>
  admitDecision(stored, { ...stored, status }, author(by));
function approved(): PlanApproval {
  const decision = decide(asked(), { approvedBy: 'x' }, 'bob');
  if ('denied' in decision) throw new Error(decision.denied);
  return decision.approval;
}
const judge = (read: ApprovalRead, given = start, key: typeof TEST_FINGERPRINTS | undefined = TEST_FINGERPRINTS) =>
  judgeApproval(given, read, key)?.message;

describe('the digest of a start', () => {
  const digest = (changed: Partial<typeof start>) => approvalDigest({ ...start, ...changed }, TEST_FINGERPRINTS);
  const withSpec = (spec: object) => ({ ...instance, spec: { ...instance.spec, ...spec } });

  it('changes with plan, version, templates and each effective parameter, and with nothing else', () => {
    const same = digest({});
    expect(digest({ instance: { ...instance, status: {}, metadata: { name: 'i' } } })).toBe(
      digest({ instance: { ...instance, metadata: { name: 'i' } } }),
    );
    expect(digest({ instance: withSpec({ planExecution: { planName: 'wipe' } }) })).toBe(same);
    const others = [
      digest({ plan: 'deploy' }),
      digest({ instance: withSpec({ parameters: { FROM: 'tuesday' } }) }),
      digest({ instance: withSpec({ parameters: { FROM: 'monday', A: 'other' } }) }),
      digest({ instance: withSpec({ operatorVersion: { name: 'v2' } }) }),
      digest({ operatorVersion: { ...version, spec: { ...version.spec, templates: { 'x.yaml': 'a' } } } }),
    ];
    expect(new Set([same, ...others]).size).toBe(6);
  });

  it('does not depend on the order of members, nor on whether a default is written down', () => {
    const { templates, ...rest } = version.spec ?? {};
    expect(
      digest({ operatorVersion: { ...version, spec: { ...rest, ...(templates === undefined ? {} : { templates }) } } }),
    ).toBe(digest({}));
    expect(digest({ instance: withSpec({ parameters: { A: 'a', FROM: 'monday' } }) })).toBe(digest({}));
  });

  it('cannot be made without the key, so that nobody guesses secret values by it', () => {
    expect(approvalDigest(start, fingerprinter(new Uint8Array(32)))).not.toBe(digest({}));
  });
});

describe('a request', () => {
  it('is stored with who asks, fingerprints of values, and no decision', () => {
    const { spec, status } = asked();
    expect(spec).toMatchObject({ requestedBy: 'alice', requestedAt: NOW, instanceUid: 'i-uid', operatorVersion: 'v1' });
    expect(spec?.parameters?.FROM).toBe(TEST_FINGERPRINTS.of('monday'));
    expect(status).toBeUndefined();
  });

  it('is refused when nobody knows who asks', () => {
    expect(admitRequest(sent, start, author(undefined))).toEqual({ denied: 'the API server does not say who asks' });
  });
});

describe('a decision', () => {
  it('is of who sends it, and not of who asked', () => {
    expect(approved().status).toMatchObject({ approvedBy: 'bob', approvedAt: NOW });
    expect(decide(asked(), { approvedBy: 'bob' }, 'alice')).toEqual({
      denied: 'PlanApproval a1 was asked for by alice; a second person has to approve it',
    });
    expect(decide(asked(), { approvedBy: 'bob' }, undefined)).toHaveProperty('denied');
    expect(decide(asked(), { rejectedBy: 'x' }, 'alice')).toMatchObject({
      approval: { status: { rejectedBy: 'alice' } },
    });
  });

  it('is refused for a request that no webhook has seen, or that is a copy of another one', () => {
    const forged = { ...asked(), spec: { ...asked().spec, requestedBy: 'carol' } };
    const words = 'was created while no webhook saw who asked for it. Ask again';
    expect(decide(forged, { approvedBy: 'x' }, 'alice')).toEqual({ denied: `PlanApproval a1 ${words}` });
    const late = { ...asked(), metadata: { ...asked().metadata, creationTimestamp: '2026-01-02T00:00:00Z' } };
    expect(decide(late, { approvedBy: 'x' }, 'bob')).toEqual({ denied: `PlanApproval a1 ${words}` });
  });

  it('stays, and so does that it was used', () => {
    const used = { ...approved(), status: { ...approved().status, usedBy: 'u1', usedAt: NOW } };
    expect(decide(used, {}, 'bob')).toEqual({ approval: used });
    expect(decide(used, { rejectedBy: 'x', usedBy: 'u2' }, 'bob')).toEqual({ approval: used });
    expect(decide(approved(), { ...approved().status, usedBy: 'u1' }, 'controller')).toMatchObject({
      approval: { status: { approvedBy: 'bob', usedBy: 'u1' } },
    });
  });
});

describe('the notices of a request', () => {
  it('stay with every decision, whatever its author sends', () => {
    const notices = [
      { target: 'T', result: 'ApprovalRequested', at: NOW, outcome: 'Delivered', endedAt: NOW } as const,
    ];
    const told = { ...asked(), status: { notices: [...notices] } };
    for (const status of [{ approvedBy: 'x' }, { rejectedBy: 'x', notices: [] }, {}]) {
      expect(decide(told, status, 'bob')).toMatchObject({ approval: { status: { notices } } });
    }
  });
});

describe('the start of a plan that needs an approval', () => {
  it('passes with one that is approved, unused and of the same inputs', () => {
    expect(judge(approved())).toBeUndefined();
  });

  it.each<[string, ApprovalRead, string]>([
    ['none of that name', undefined, 'PlanApproval a1 does not exist. It needs the approval of a second person'],
    ['one that waits', asked(), 'waits for a second person, who approves it with `bravo approval approve a1 -n n`'],
    ['one that was rejected', { ...asked(), status: { rejectedBy: 'bob' } }, 'was rejected by bob'],
    [
      'one that was used',
      { ...approved(), status: { ...approved().status, usedBy: 'u1' } },
      'was used for a start already',
    ],
    [
      'one of another plan',
      { ...approved(), spec: { ...approved().spec, plan: 'other' } },
      'is for plan other of Instance i',
    ],
    ['one whose author is made up', { ...asked(), status: { approvedBy: 'bob' } }, 'no admission webhook has seen'],
    [
      'one that cannot be read',
      { problem: 'PlanApproval a1 cannot be read (403)' },
      'PlanApproval a1 cannot be read (403).',
    ],
  ])('is refused with %s', (_what, read, words) => {
    expect(judge(read)).toContain(words);
  });

  it('is refused without one, and says how to ask', () => {
    const bare = { ...instance, metadata: { ...instance.metadata, annotations: {} } };
    expect(judge(undefined, { ...start, instance: bare })).toContain(
      'Ask for it with `bravo plan request --instance i --name wipe -n n`, and start the plan with `--approval NAME`',
    );
  });

  it('is refused in a dialog without commands', () => {
    const bare = { ...instance, metadata: { ...instance.metadata, annotations: {} } };
    expect(wordsForDialog(judge(undefined, { ...start, instance: bare }) ?? '')).toBe(
      'It needs the approval of a second person. Ask for it below. The plan can start when it is approved.',
    );
    expect(wordsForDialog('Another reason.')).toBe('Another reason.');
  });

  it('is refused after a change, for another Instance of the name, and when a value cannot be read', () => {
    const void_ = 'is void: the parameters or the version are not those that were approved';
    const edited = { ...instance, spec: { ...instance.spec, parameters: { FROM: 'tuesday' } } };
    const other = { ...instance, metadata: { ...instance.metadata, uid: 'other' } };
    expect(judge(approved(), { ...start, instance: edited })).toContain(void_);
    expect(judge(approved(), { ...start, instance: other })).toContain(void_);
    expect(judgeApproval({ ...start, unread: new Set(['FROM']) }, approved(), TEST_FINGERPRINTS)?.message).toContain(
      void_,
    );
  });

  it('is refused when the record of an execution names it, which is not marked yet', () => {
    const origin = { cause: 'Manual', approval: 'a1' } as const;
    const record = formatActedUpon(instance, TEST_RECORD, { plan: 'wipe', uid: 'w1', startedAt: NOW, origin });
    const annotations = { [ACTED_UPON_ANNOTATION]: record, [APPROVAL_ANNOTATION]: 'a1' };
    const begun = { ...instance, metadata: { ...instance.metadata, annotations } };
    expect(judge(approved(), { ...start, instance: begun })).toContain('was used for a start already');
  });

  it('is judged without the key by all but inputs and proof', () => {
    const edited = { ...instance, spec: { ...instance.spec, parameters: { FROM: 'tuesday' } } };
    expect(judgeApproval({ ...start, instance: edited }, approved(), undefined)).toBeUndefined();
    expect(judgeApproval(start, asked(), undefined)?.message).toContain('waits for a second person');
  });

  it('is no first plan, and no cleanup', () => {
    const { status: _, ...fresh } = instance;
    expect(needsApproval({ ...start, instance: fresh })).toBe(false);
    expect(needsApproval({ ...start, plan: 'cleanup' })).toBe(false);
    expect(needsApproval({ ...start, plan: 'deploy' })).toBe(false);
    expect(needsApproval(start)).toBe(true);
  });
});

describe('the approval that a dialog names', () => {
  const given = (name: string, spec: object): PlanApproval => ({
    ...approved(),
    metadata: { name },
    spec: { operatorVersion: 'v1', ...spec },
  });
  const of = (parameters: readonly string[], open: readonly PlanApproval[]) =>
    approvalFor(open, { operatorVersion: 'v1', parameters })?.metadata.name;

  it('is the newest of this version and these parameters, else the newest that was given', () => {
    const bare = given('bare', {});
    const both = given('both', { parameters: { A: 'f', FROM: 'f' } });
    const moved = given('moved', { operatorVersion: 'v2' });
    expect(of(['FROM', 'A'], [bare, moved, both])).toBe('both');
    expect(of([], [moved, both, bare])).toBe('bare');
    expect(of(['B'], [moved, both, bare])).toBe('moved');
    expect(of([], [asked()])).toBeUndefined();
  });
});

describe('the values of a request', () => {
  it('have the default in the place of one that is taken away, so that the digest is that of the start', () => {
    const { FROM: _, ...others } = instance.spec?.parameters ?? {};
    const taken = { ...start, instance: { ...instance, spec: { ...instance.spec, parameters: others } } };
    const values = askedValues(version, { FROM: null, A: 'x', GONE: null });
    expect(values).toEqual({ FROM: 'latest', A: 'x' });
    const { FROM = '' } = values;
    const asks = { ...instance, spec: { ...instance.spec, parameters: { ...others, FROM } } };
    expect(approvalDigest({ ...start, instance: asks }, TEST_FINGERPRINTS)).toBe(
      approvalDigest(taken, TEST_FINGERPRINTS),
    );
  });
});
