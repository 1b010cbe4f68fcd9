import { formatTime, systemClock } from '@/lib/clock/clock';
import {
  APPROVAL_ANNOTATION,
  PLAN_APPROVAL_API_VERSION,
  PLAN_APPROVALS,
  type PlanApproval,
} from '@/lib/kudo/approvals/plan-approval';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { BREAK_LOCK_ANNOTATION, LOCK_ANNOTATION, lockOf, lockText } from '@/lib/kudo/lock/instance-lock';
import type { Api } from '@/server/kube/api';
import { type ClosableApi, createApi } from '@/server/kube/http-api';
import { connectTransport } from '@/server/kube/transport';
import { clusterOf, type Engine, getInstance } from '@/test/engine/https-engine';

/** What users do that holds plans of an Instance back, or lets them go. */
export type GateAction =
  /** For a day. */
  | { readonly do: 'lock' }
  | { readonly do: 'unlock' }
  /** A plan is started against the lock. */
  | { readonly do: 'break-lock'; readonly plan: string }
  /** A user asks, another one approves, and the plan is started. */
  | { readonly do: 'approved-start'; readonly plan: string };

export interface GatedInstance {
  readonly engine: Engine;
  readonly namespace: string;
  readonly name: string;
  /** Resolves when a controller runs, and the API server calls its webhook. */
  alive(): Promise<void>;
}

const DAY_MS = 24 * 3_600_000;
/** A controller that is killed while it judges lets a write pass without the proof of who wrote it; people then do it again. */
const TRIES = 5;

export async function actOnGate(instance: GatedInstance, action: GateAction): Promise<void> {
  switch (action.do) {
    case 'lock':
      await lock(instance);
      return;
    case 'unlock':
      await patch(instance, { [LOCK_ANNOTATION]: null });
      return;
    case 'break-lock':
      await patch(instance, { [BREAK_LOCK_ANNOTATION]: 'the disk is full' }, action.plan);
      return;
    case 'approved-start':
      await patch(instance, { [APPROVAL_ANNOTATION]: await approval(instance, action.plan) }, action.plan);
  }
}

async function lock(instance: GatedInstance): Promise<void> {
  const { engine, namespace, name } = instance;
  const text = lockText({ reason: 'sale', until: formatTime(Date.now() + DAY_MS) });
  for (let tries = 0; tries < TRIES; tries++) {
    await instance.alive();
    await patch(instance, { [LOCK_ANNOTATION]: text });
    const stored = await getInstance(engine.api, namespace, name);
    if (stored !== undefined && lockOf(stored)?.by !== undefined) return;
  }
  throw new Error('no webhook has seen who locked the Instance');
}

function patch(
  { engine, namespace, name }: GatedInstance,
  annotations: { [name: string]: string | null },
  plan?: string,
): Promise<unknown> {
  const spec = plan === undefined ? {} : { spec: { planExecution: { planName: plan, uid: `${plan}-by-hand` } } };
  return engine.api.patch({ ...INSTANCES, namespace, name }, 'merge', { metadata: { annotations }, ...spec });
}

/** The name of a PlanApproval that counts. */
async function approval(instance: GatedInstance, plan: string): Promise<string> {
  const { engine, namespace, name } = instance;
  const target = { ...PLAN_APPROVALS, namespace, name: `${name}-${plan}` };
  const second = secondPerson(engine);
  try {
    for (let tries = 0; tries < TRIES; tries++) {
      await instance.alive();
      await engine.api.create(target, {
        apiVersion: PLAN_APPROVAL_API_VERSION,
        kind: 'PlanApproval',
        metadata: { name: target.name, namespace },
        spec: { instanceName: name, plan },
      });
      if (await isApproved(second, target)) return target.name;
      await engine.api.delete(target);
    }
  } finally {
    await second.close();
  }
  throw new Error(`nobody could approve plan ${plan}`);
}

/** False when the webhook did not see both. */
async function isApproved(second: Api, target: typeof PLAN_APPROVALS & { readonly name: string }): Promise<boolean> {
  const asked = (await second.get(target)) as PlanApproval | undefined;
  if (asked?.spec?.proof === undefined) return false;
  const status = { status: { approvedBy: 'me' } };
  const given = (await second.patch(target, 'merge', status, { subresource: 'status' })) as PlanApproval;
  return given.status?.proof !== undefined;
}

function secondPerson(engine: Engine): ClosableApi {
  const cluster = clusterOf(engine.sandbox);
  const transport = connectTransport(cluster);
  const who = { 'impersonate-user': 'second', 'impersonate-group': 'system:masters' };
  return createApi(cluster, {
    clock: systemClock,
    transport: {
      ...transport,
      request: (call) => transport.request({ ...call, headers: { ...call.headers, ...who } }),
    },
  });
}
