import { afterEach, describe, expect, it } from 'vitest';
import { formatTime } from '@/lib/clock/clock';
import { stringAt } from '@/lib/json/json';
import { requestProof } from '@/lib/kudo/approvals/approval-proof';
import { PLAN_APPROVALS, type PlanApproval } from '@/lib/kudo/approvals/plan-approval';
import { fingerprinter } from '@/lib/kudo/secrets/fingerprint';
import { limits } from '@/lib/limits/limits';
import type { NoticeRequest } from '@/server/notices/notice-request';
import type { PostOutcome } from '@/server/notices/post-notice';
import { Lab } from '@/test/engine/lab';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { saying, wiping } from '@/test/operators/destructive-operator';
import { FINGERPRINT_SECRET } from './fingerprint-key';

const MINUTE_MS = 60_000;

let engine: VirtualEngine;
let lab: Lab;
let sent: NoticeRequest[] = [];
let answers: PostOutcome[] = [];

afterEach(() => engine?.stop());

/** An Instance with a plan that needs an approval, and a controller that leads. */
async function begin(yaml?: string): Promise<void> {
  sent = [];
  answers = [];
  engine = await startVirtualEngine({
    notices: { allowLocal: true, consoleUrl: 'https://bravo.example' },
    postNotice: async (request) => {
      sent.push(request);
      return answers.shift() ?? { is: 'delivered', status: 200 };
    },
  });
  lab = await Lab.open(engine, 'shop');
  await engine.startController();
  const version = await lab.operator('db', wiping());
  await lab.patch('operatorversions', version, { metadata: { annotations: saying({ wipe: { approval: true } }) } });
  await lab.create('db', version, {}, { labels: { team: 'data' } });
  await lab.ends('db', 'deploy');
  if (yaml !== undefined) await configure(yaml);
}

const configure = (yaml: string, name = 'hooks', namespace = 'shop') =>
  lab.put(
    'configmaps',
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace, labels: { 'bravo.kudo.dev/notices': 'true' } },
      data: { 'notices.yaml': yaml },
    },
    namespace,
  );

const target = { ...PLAN_APPROVALS, namespace: 'shop' };

/** As the webhook stores a request; without a proof when none has seen it. */
async function ask(name: string, { isProven = true } = {}): Promise<void> {
  const key = lab.find('secrets', FINGERPRINT_SECRET, 'default');
  const fingerprints = fingerprinter(new Uint8Array(Buffer.from(stringAt(key ?? {}, 'data', 'key') ?? '', 'base64')));
  const bare: PlanApproval = {
    apiVersion: 'bravo.kudo.dev/v1alpha1',
    kind: 'PlanApproval',
    metadata: { name, namespace: 'shop' },
    spec: {
      instanceName: 'db',
      plan: 'wipe',
      instanceUid: lab.instance('db').metadata.uid ?? '',
      requestedBy: 'alice',
      requestedAt: formatTime(engine.clock.now()),
      reason: 'migration',
    },
  };
  const proof = isProven ? requestProof(bare, fingerprints) : '';
  await engine.run(engine.people.create(target, { ...bare, spec: { ...bare.spec, proof } }));
}

const setStatus = (name: string, status: object) =>
  engine.run(engine.people.patch({ ...target, name }, 'merge', { status: { ...status } }, { subresource: 'status' }));
const stored = (name: string) => engine.sandbox.api.get({ ...target, name }) as PlanApproval | undefined;
const outcomesOf = (name: string) => stored(name)?.status?.notices?.map(({ outcome }) => outcome);
const bodies = () => sent.map(({ body }) => JSON.parse(body));
const ids = () => new Set(sent.map(({ headers }) => headers['x-bravo-delivery'])).size;
const writes = () => engine.calls.filter(({ path, method }) => path.includes('/planapprovals/') && method !== 'GET');

const ASKED = '{name: asked, url: "https://asked", results: [ApprovalRequested]}';

describe('a request that waits for a second person', () => {
  it('is told once to each receiver that asks for it, and its status says so', async () => {
    await begin(
      `- ${ASKED}\n- {name: data, url: "https://data", results: [ApprovalRequested], plans: ["wi*"], instances: {matchLabels: {team: data}}}\n` +
        '- {name: others, url: "https://others", results: [ApprovalRequested], instances: {matchLabels: {team: web}}}\n' +
        '- {name: plans, url: "https://plans", results: [ApprovalRequested], plans: [deploy]}\n- {name: ends, url: "https://ends"}',
    );
    await ask('a1');
    await engine.pass(MINUTE_MS);
    expect(sent.map(({ url }) => url).sort()).toEqual(['https://asked', 'https://data']);
    expect(bodies()[0]).toMatchObject({
      result: 'ApprovalRequested',
      approval: 'a1',
      requestedBy: 'alice',
      reason: 'migration',
      url: 'https://bravo.example/instances/shop/db/plans',
    });
    expect(outcomesOf('a1')).toEqual(['Delivered', 'Delivered']);
    await engine.stopController();
    await engine.startController();
    await engine.pass(MINUTE_MS);
    expect(sent).toHaveLength(2);
  });

  it('costs no write when no notice is about it, and two when one is sent', async () => {
    await begin('{name: ends, url: "https://ends", results: [FATAL_ERROR]}');
    await ask('a1');
    await engine.pass(MINUTE_MS);
    expect(writes()).toEqual([]);
    await configure(ASKED, 'later');
    await engine.pass(MINUTE_MS);
    expect(outcomesOf('a1')).toEqual(['Delivered']);
    expect(writes().map(({ method }) => method)).toEqual(['PATCH', 'PATCH']);
  });

  it('is told nobody when it was decided, is a day old, or no webhook saw who asked', async () => {
    await begin();
    await ask('decided');
    await ask('unseen', { isProven: false });
    await setStatus('decided', { approvedBy: 'bob' });
    await ask('old');
    await engine.stopController();
    engine.clock.after(limits.notices.triedForMs + 1_000, () => undefined);
    await engine.pass(limits.notices.triedForMs + 1_000);
    await engine.startController();
    await configure(ASKED);
    await engine.pass(MINUTE_MS);
    expect(sent).toEqual([]);
    expect(['decided', 'unseen', 'old'].map(outcomesOf)).toEqual([undefined, undefined, undefined]);
  });

  it('is not sent any more when somebody decides it while the receiver fails', async () => {
    await begin(ASKED);
    answers = Array(5).fill({ is: 'failed', why: 'answered 500' });
    await ask('a1');
    await engine.until('the first try', () => sent.length === 1);
    await setStatus('a1', { rejectedBy: 'bob' });
    await engine.pass(60 * MINUTE_MS);
    expect(sent).toHaveLength(1);
    expect(outcomesOf('a1')).toEqual([undefined]);
  });

  it('goes to no receiver that somebody else has written into its status', async () => {
    await begin();
    await configure('{name: ops, url: "https://ops", results: [COMPLETE], namespaces: ["*"]}', 'ops', 'default');
    await ask('a1');
    const at = formatTime(engine.clock.now());
    await setStatus('a1', { notices: [{ target: 'ConfigMap/default/ops/ops', result: 'ApprovalRequested', at }] });
    await engine.pass(MINUTE_MS);
    expect(sent.filter(({ body }) => body.includes('ApprovalRequested'))).toEqual([]);
    expect(outcomesOf('a1')).toEqual(['Dropped']);
  });
});

describe('a controller that ends', () => {
  it('after it has written the notice, and before it is sent, leaves it to the next one', async () => {
    await begin(ASKED);
    answers = [{ is: 'failed', why: 'answered 500' }];
    await ask('a1');
    await engine.until('the first try', () => sent.length === 1);
    await engine.stopController();
    expect(outcomesOf('a1')).toEqual([undefined]);
    await engine.startController();
    await engine.pass(MINUTE_MS);
    expect([sent.length, ids()]).toEqual([2, 1]);
    expect(outcomesOf('a1')).toEqual(['Delivered']);
  });

  it('between the request and its record sends the notice again, with the same id', async () => {
    await begin(ASKED);
    engine.refuse(({ path, body }) =>
      path.includes('/planapprovals/') && JSON.stringify(body).includes('Delivered') ? 500 : undefined,
    );
    await ask('a1');
    await engine.until('the notice is sent', () => sent.length === 1);
    await engine.pass(MINUTE_MS);
    await engine.stopController();
    engine.refuse(undefined);
    await engine.startController();
    await engine.pass(MINUTE_MS);
    expect([sent.length, ids()]).toEqual([2, 1]);
    expect(outcomesOf('a1')).toEqual(['Delivered']);
  });

  it('sends a request that came while nobody led, and tries again what the API refused', async () => {
    await begin(ASKED);
    await engine.stopController();
    await ask('a1');
    engine.refuse(({ path, method }) => (path.includes('/planapprovals/') && method === 'PATCH' ? 409 : undefined));
    await engine.startController();
    await engine.pass(MINUTE_MS);
    expect(sent).toEqual([]);
    engine.refuse(undefined);
    await engine.pass(2 * MINUTE_MS);
    expect([sent.length, outcomesOf('a1')]).toEqual([1, ['Delivered']]);
  });
});

it('a cluster whose definition of PlanApprovals is older is asked once for each change, and nothing is sent', async () => {
  await begin(ASKED);
  const name = 'planapprovals.bravo.kudo.dev';
  const crd = lab.find('customresourcedefinitions', name);
  const text = JSON.stringify(crd).replace(/"notices":\{[^}]*"items"/, '"former":{"type":"array","items"');
  const { spec } = JSON.parse(text);
  await lab.patch('customresourcedefinitions', name, { spec });
  await engine.pass(MINUTE_MS);
  await ask('a1');
  await engine.pass(10 * MINUTE_MS);
  expect(sent).toEqual([]);
  // The first write leaves an empty status, which is a change.
  expect(writes()).toHaveLength(2);
});
