import { OPERATOR_SUBSCRIPTIONS, type OperatorSubscription } from '@/lib/kudo/upgrades/operator-subscription';
import { OPERATOR_UPGRADES, type OperatorUpgrade } from '@/lib/kudo/upgrades/operator-upgrade';
import { DEFAULT_PIPES } from '@/server/config/pipes';
import { HealthChecks } from '@/server/health-checks/health-checks';
import { guardedApi } from '@/server/kube/guarded-api';
import { KindIndex } from '@/server/kube/kinds';
import { ConfiguredNotices } from '@/server/notices/configured-notices';
import { PlanApprovalStore } from '@/server/runs/plan-approval-store';
import { PlanRunStore } from '@/server/runs/plan-run-store';
import { planScheduleStore } from '@/server/runs/plan-schedule-store';
import { StatusStore } from '@/server/runs/status-store';
import { SelfHeal } from '@/server/self-heal/self-heal';
import { createTextRenderer } from '@/server/tasks/render-texts';
import type { RenderWorker } from '@/server/tasks/render-worker';
import { repositoryOpener } from '@/server/upgrades/open-repository';
import type { ControllerOptions } from './controller-options';
import { EventRecorder } from './events';
import type { FingerprintKey } from './fingerprint-key';
import { InstanceStore } from './instance-store';
import type { BetweenTerms } from './leader-term';
import type { SigningKey } from './signing-key';
import { steadyReads } from './steady-reads';
import type { Watches } from './watches';

interface Parts {
  readonly namespace: string;
  readonly watches: Watches;
  readonly renderer: RenderWorker;
  readonly fingerprints: FingerprintKey;
  readonly signing: SigningKey;
  /** True while this process acts for any Instance. */
  leads(): boolean;
  requeue(key: string): void;
}

/** What a controller keeps from its start to its end, whatever it leads. */
export type ControllerDeps = BetweenTerms & { readonly events: EventRecorder };

export function controllerDeps(options: ControllerOptions, parts: Parts): ControllerDeps {
  const { clock, random, log } = options;
  const { watches, fingerprints, signing, namespace, requeue } = parts;
  const api = guardedApi(steadyReads(options.api, { clock, random }), parts.leads);
  const kinds = new KindIndex(api);
  const store = new InstanceStore(api, watches.instances);
  const events = new EventRecorder({ api, clock, random, log });
  const renderTexts = options.renderTexts ?? createTextRenderer(parts.renderer);
  return {
    api,
    clock,
    random,
    log,
    kinds,
    watches,
    store,
    planRuns: PlanRunStore.over(api, watches.planRuns, requeue),
    planSchedules: planScheduleStore(api, watches.planSchedules),
    upgrades: new StatusStore<OperatorUpgrade>(api, OPERATOR_UPGRADES, watches.upgrades),
    subscriptions: new StatusStore<OperatorSubscription>(api, OPERATOR_SUBSCRIPTIONS, watches.subscriptions),
    openRepository:
      options.openRepository ??
      repositoryOpener({
        clock,
        allowLocal: options.notices?.allowLocal ?? false,
        store: { api, secrets: api, namespace: options.repositoriesNamespace ?? namespace },
      }),
    planApprovals: new PlanApprovalStore(api, watches.planApprovals),
    events,
    notices: new ConfiguredNotices(watches.notices, namespace),
    fingerprints,
    signing,
    selfHeal: new SelfHeal({
      ...{ api, clock, random, log, kinds, store, renderTexts, fingerprints, requeue },
      instances: watches.instances,
    }),
    health: new HealthChecks({ api, clock, random, log, watches, store, renderTexts, requeue }),
    pipePods: options.pipePods ?? DEFAULT_PIPES,
    renderTexts,
    metrics: options.metrics,
  };
}
