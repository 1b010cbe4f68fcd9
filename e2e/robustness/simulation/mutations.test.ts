import { expect, it } from 'vitest';
import type { RawRequest } from '@/server/kube/api';
import type { Transport } from '@/server/kube/transport';
import { plainScript } from './plain-script';
import { isWatch, simulatedStatus } from './requests';
import { type RunResult, runScenario } from './run-scenario';
import type { Script, TimedAction } from './scenario';
import { endStateDifferences } from './simulate';

/** Two steps, one after the other; then an edit that runs them again. */
const plain = plainScript('sim-1', 'own', 'config');
const step = (name: string, task: string) => ({ name, tasks: [task] });
const SCRIPT: Script = {
  ...plain,
  plans: {
    deploy: {
      strategy: 'serial',
      phases: [
        { name: 'main', strategy: 'serial', steps: [step('s0', 'own'), step('s1', 'web'), step('s2', 'config')] },
      ],
    },
  },
  actions: [{ do: 'set', parameters: { A: 'new' }, afterMs: 0 }],
};

function run(script: Script, tamper?: (transport: Transport) => Transport): Promise<RunResult> {
  return runScenario(
    { scripts: [script], isPatient: true },
    {
      seed: 'mutation',
      faultPercent: 0,
      disturbsControllers: false,
      keepsTrace: false,
      hasConsole: false,
      ...(tamper && { tamper }),
    },
  );
}

type Answer = ReturnType<Transport['request']>;

/** A server that handles some requests in another way. */
function server(does: (request: RawRequest, send: (request: RawRequest) => Answer) => Answer | undefined) {
  return (transport: Transport): Transport => {
    const send = (request: RawRequest) => transport.request(request);
    return { ...transport, request: (request) => does(request, send) ?? send(request) };
  };
}

const isStatus = ({ method, path }: RawRequest) => method === 'PUT' && path.endsWith('/status');
const isNew = ({ method, path }: RawRequest) => method === 'POST' && path.endsWith('/configmaps');
const isLease = ({ path }: RawRequest) => path.includes('/leases');
const textOf = ({ body }: RawRequest) => (typeof body === 'string' ? body : '');
const edited = (request: RawRequest, from: string, to: string): RawRequest => {
  return { ...request, body: textOf(request).replaceAll(from, to) };
};
const nameIn = (request: RawRequest) => /"name":"(sim-[^"]+)"/.exec(textOf(request))?.[1] ?? '';

/** A server whose watches of Instances send other chunks. */
function watching(change: (chunk: Uint8Array, index: number) => readonly Uint8Array[]) {
  return server((request, send) => {
    if (!isWatch(request) || !request.path.includes('/instances?')) return undefined;
    return send(request).then((response) => ({ ...response, body: changed(response.body, change) }));
  });
}

async function* changed(
  body: AsyncIterable<Uint8Array>,
  change: (chunk: Uint8Array, index: number) => readonly Uint8Array[],
) {
  let index = 0;
  for await (const chunk of body) yield* change(chunk, index++);
}

it('finds no violation where nothing is altered', async () => {
  expect((await run(SCRIPT)).violations).toEqual([]);
});

/** A server whose answers to reads and watches of a resource say something else. */
function saying(resource: string, from: string, to: string) {
  const altered = (chunk: Uint8Array) => [Buffer.from(Buffer.from(chunk).toString().replaceAll(from, to))];
  return server((request, send) => {
    if (request.method !== 'GET' || !request.path.includes(`/${resource}`)) return undefined;
    return send(request).then((response) => ({ ...response, body: changed(response.body, altered) }));
  });
}

/** The deploy plan is cancelled while pods start, and repeated. */
const REPEATED: readonly TimedAction[] = [
  { do: 'set', parameters: { A: 'new' }, afterMs: 0 },
  { do: 'cancel', afterMs: 0 },
  { do: 'retry', afterMs: 0 },
];
const LOCKED: readonly TimedAction[] = [
  { do: 'lock', endsInMs: 100 * 24 * 3_600_000, afterMs: 0 },
  { do: 'trigger', plan: 'deploy', afterMs: 0 },
];
const GATED: readonly TimedAction[] = [{ do: 'trigger', plan: 'restore', afterMs: 0 }];

it('finds no violation where plans are held back and repeated, and nothing is altered', async () => {
  const script = { ...SCRIPT, isGated: true, actions: [...REPEATED, ...GATED, ...LOCKED] };
  expect((await run(script)).violations).toEqual([]);
});

const removal: TimedAction = { do: 'remove', pick: 0, afterMs: 0 };

it.each<[string, string, (transport: Transport) => Transport, Script?]>([
  [
    'I1',
    'a status that can never be stored',
    server((request) => (isStatus(request) ? Promise.resolve(simulatedStatus(500, 'InternalError', 'no')) : undefined)),
  ],
  [
    'I3',
    'an object that is deleted and created again',
    server((request, send) => {
      if (!isNew(request)) return undefined;
      const remove = { method: 'DELETE', path: `${request.path}/${nameIn(request)}` };
      return send(request)
        .then(() => send(remove))
        .then(() => send(request));
    }),
  ],
  [
    'I3',
    'a step that renders other content than before',
    server((request, send) => {
      if (!isNew(request)) return undefined;
      const patch = {
        method: 'PATCH',
        path: `${request.path}/${nameIn(request)}`,
        headers: { 'content-type': 'application/merge-patch+json' },
        body: '{"data":{"a":"other"}}',
      };
      return send(request).then((made) => send(patch).then(() => made));
    }),
  ],
  [
    'I4',
    'a status that says that every step is in progress',
    server((request, send) =>
      isStatus(request) ? send(edited(request, '"status":"PENDING"', '"status":"IN_PROGRESS"')) : undefined,
    ),
  ],
  [
    'I5',
    'a status that takes back COMPLETE',
    (() => {
      let written = 0;
      return server((request, send) =>
        isStatus(request) && ++written % 3 === 0
          ? send(edited(request, '"status":"COMPLETE"', '"status":"PENDING"'))
          : undefined,
      );
    })(),
  ],
  [
    'I7',
    'a lease that the server never stores',
    server((request) => {
      if (!isLease(request)) return undefined;
      if (request.method === 'GET') return Promise.resolve(simulatedStatus(404, 'NotFound', 'no lease'));
      const lease = JSON.stringify({ ...JSON.parse(textOf(request)) });
      return Promise.resolve({ ...simulatedStatus(201, '', ''), body: once(Buffer.from(lease)) });
    }),
  ],
  ['I9', 'a watch that leaves out every third event', watching((chunk, index) => (index % 3 === 1 ? [] : [chunk]))],
  ['I9', 'a watch that says everything twice', watching((chunk) => [chunk, chunk])],
  [
    'I13',
    'a server that refuses to create a deleted object again',
    (() => {
      const made = new Set<string>();
      return server((request) => {
        if (!isNew(request)) return undefined;
        if (made.has(nameIn(request))) return Promise.resolve(simulatedStatus(403, 'Forbidden', 'not again'));
        made.add(nameIn(request));
        return undefined;
      });
    })(),
    { ...SCRIPT, selfHeals: true, actions: [removal] },
  ],
  [
    'I17',
    'a controller that does not see the lock',
    saying('instances', 'bravo.kudo.dev/lock"', 'bravo.kudo.dev/other"'),
    { ...SCRIPT, actions: LOCKED },
  ],
  [
    'I18',
    'a controller that does not know which plan needs an approval',
    saying('operatorversions', 'approval\\":true', 'approval\\":null'),
    { ...SCRIPT, isGated: true, actions: GATED },
  ],
  [
    'I19',
    'a retry that leaves out a step which did not run',
    server((request, send) => {
      const isRetry = isStatus(request) && textOf(request).includes('retryOf');
      return isRetry ? send(edited(request, '"status":"PENDING"', '"status":"COMPLETE"')) : undefined;
    }),
    { ...SCRIPT, actions: REPEATED },
  ],
])('%s finds %s', async (invariant, _what, tamper, script = SCRIPT) => {
  const { violations } = await run(script, tamper);
  expect(violations.filter((violation) => violation.startsWith(`${invariant}:`))).not.toEqual([]);
});

it('I2 finds a different result', async () => {
  const tamper = server((request, send) =>
    isNew(request) ? send(edited(request, '"edition":"first"', '"edition":"x"')) : undefined,
  );
  // Without the edit, which would correct it.
  const script = { ...SCRIPT, actions: [] };
  const [expected, actual] = [await run(script), await run(script, tamper)];
  expect(endStateDifferences(expected.end, actual.end).join()).toContain('I2: ConfigMap sim-1/sim-config is ');
});

async function* once(chunk: Uint8Array): AsyncGenerator<Uint8Array> {
  yield chunk;
}
