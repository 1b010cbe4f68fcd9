import { Agent, request as send } from 'undici';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '@/lib/clock/clock';
import { arrayAt, type JsonObject, stringAt } from '@/lib/json/json';
import { systemRandom } from '@/lib/random/random';
import { type Sandbox, startSandbox } from '../sandbox';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

let sandbox: Sandbox;
let call: (method: 'GET' | 'POST' | 'DELETE' | 'PATCH', path: string, body?: JsonObject | string) => Promise<Reply>;

interface Reply {
  readonly status: number;
  readonly body: JsonObject;
}

beforeAll(async () => {
  sandbox = await startSandbox({
    port: 0,
    mode: 'no-controllers',
    podDelayMs: 0,
    clock: systemClock,
    random: systemRandom,
  });
  const dispatcher = new Agent({ connect: { ca: sandbox.caPem } });
  const authorization = `Bearer ${/token: (\S+)/.exec(sandbox.kubeconfig)?.[1] ?? ''}`;
  call = async (method, path, body) => {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const response = await send(sandbox.url + path, {
      dispatcher,
      method,
      headers: { authorization, 'content-type': type },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const parsed: JsonObject = JSON.parse(await response.body.text());
    return { status: response.statusCode, body: parsed };
  };
});
afterAll(() => sandbox.stop());
beforeEach(async () => {
  for (const name of ['a', 'b']) await call('POST', CONFIG_MAPS, { metadata: { name, labels: { kept: 'yes' } } });
});

const names = async () => {
  const { body } = await call('GET', `${CONFIG_MAPS}?labelSelector=kept`);
  return arrayAt(body, 'items').map((each) => stringAt(each, 'metadata', 'name'));
};

describe('options of a deletion', () => {
  it.each([
    [{ dryRun: 'All' }, 'cannot unmarshal string into Go struct field .dryRun of type []string'],
    [{ dryRun: [1] }, 'cannot unmarshal number 1 into Go struct field .dryRun[0] of type string'],
    [{ gracePeriodSeconds: '5' }, 'cannot unmarshal string into Go struct field .gracePeriodSeconds of type int64'],
    [{ gracePeriodSeconds: 1.5 }, 'cannot unmarshal number 1.5 into'],
    [{ orphanDependents: 'true' }, 'cannot unmarshal string into Go struct field .orphanDependents of type bool'],
    [{ preconditions: [] }, 'cannot unmarshal array into Go struct field .preconditions of type v1.Preconditions'],
    [{ preconditions: { uid: 1 } }, 'cannot unmarshal number 1 into Go struct field .preconditions.uid of type string'],
    [{ kind: 'Pod' }, 'no kind "Pod" is registered for version "meta.k8s.io/v1"'],
    ['[]', "couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct"],
  ])('%j refuse it, and nothing is deleted', async (options, problem) => {
    for (const path of [`${CONFIG_MAPS}/a`, CONFIG_MAPS]) {
      const { status, body } = await call('DELETE', path, options);
      expect({ status, message: stringAt(body, 'message') }).toEqual({
        status: 400,
        message: expect.stringContaining(problem),
      });
    }
    expect(await names()).toEqual(['a', 'b']);
  });

  it.each([
    ['null', 200],
    [{ dryRun: null, gracePeriodSeconds: null, preconditions: { uid: null } }, 200],
  ])('%j are none', async (options, status) => {
    expect((await call('DELETE', `${CONFIG_MAPS}/a`, options)).status).toBe(status);
    expect(await names()).toEqual(['b']);
  });

  it('hold for each object of a collection too: a precondition that does not hold ends the deletion', async () => {
    const { status, body } = await call('DELETE', CONFIG_MAPS, { preconditions: { uid: 'another' } });
    expect([status, stringAt(body, 'message')]).toEqual([409, expect.stringContaining('precondition (another)')]);
    expect(await names()).toEqual(['a', 'b']);
  });

  it('and the query of a list are checked before a collection is deleted', async () => {
    for (const query of ['resourceVersion=x', 'limit=99999999999999999999', 'resourceVersionMatch=Exact']) {
      expect((await call('DELETE', `${CONFIG_MAPS}?${query}`)).status, query).toBeGreaterThan(399);
      expect(await names()).toEqual(['a', 'b']);
    }
  });

  it('answers 202 when an old client deletes dependents first and a finalizer keeps the object', async () => {
    await call('PATCH', `${CONFIG_MAPS}/b`, { metadata: { finalizers: ['example.com/keep'] } });
    expect((await call('DELETE', `${CONFIG_MAPS}/b`, { orphanDependents: false })).status).toBe(202);
    await call('PATCH', `${CONFIG_MAPS}/b`, { metadata: { finalizers: null } });
    expect(await names()).toEqual(['a']);
  });
});
