import { readReadiness } from '@/server/http/readiness';
import { anonymousRoute, json } from '@/server/http/route';
import { runtime } from '@/server/runtime/runtime';

/** Ready: the Kubernetes API answers, the controller neither has stopped nor lacks the right to its lease, and the console is not being stopped. 503 otherwise, with the reasons. */
export const GET = anonymousRoute(async () => {
  const { clusters, clock, controllerState, webhookWords, leaseProblem, isStopping } = runtime();
  const parts = {
    controller: controllerState(),
    webhook: webhookWords(),
    leaseProblem: leaseProblem(),
    isStopping: isStopping(),
  };
  const readiness = await readReadiness(clusters.home.api, parts, clock);
  return json(readiness, readiness.ready ? 200 : 503);
});
