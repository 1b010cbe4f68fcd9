import { expect, it } from 'vitest';
import { INSTANCES, OPERATOR_VERSIONS } from '@/lib/kudo/crds';
import type { Instance } from '@/lib/kudo/types';
import type { Transport } from '@/server/kube/transport';
import { plainScript } from './plain-script';
import { isAtRest } from './play-script';
import { isWatch } from './requests';
import { FIRST_VERSION, INSTANCE, instanceOf, operatorsOf } from './script-objects';
import { templatesOf } from './templates';
import { makeWorld } from './world';

const namespace = 'default';
const VERSIONS = { ...OPERATOR_VERSIONS, namespace };
const KEY = { ...INSTANCES, namespace, name: INSTANCE };
const OWN = { group: '', version: 'v1', resource: 'configmaps', namespace, name: `${INSTANCE}-deploy-own` };

/** Watches of a resource are open and silent. */
function deafTo(resource: string, transport: Transport): Transport {
  return {
    ...transport,
    async request(request) {
      const response = await transport.request(request);
      return isWatch(request) && request.path.includes(`/${resource}?`) ? { ...response, body: nothing() } : response;
    },
  };
}

async function* nothing(): AsyncGenerator<Uint8Array> {
  await new Promise(() => {});
}

it('begins a plan with the templates that are stored then, though the watch has not told of them', async () => {
  const world = await makeWorld({
    seed: 'late watch',
    weather: { faultPercent: 0 },
    podDelayMs: 1_000,
    onWatch: (transport) => deafTo('operatorversions', transport),
  });
  const { people, scheduler, sandbox } = world;
  const script = plainScript(namespace, 'own');
  const { operators, versions } = operatorsOf(script);
  const comeToRest = () => scheduler.until(() => isAtRest(sandbox.api.get(KEY) as Instance | undefined), 60_000);
  await scheduler.drive(
    (async () => {
      for (const operator of operators) sandbox.api.create({ ...VERSIONS, resource: 'operators' }, operator);
      for (const version of versions) sandbox.api.create(VERSIONS, version);
      const { controller } = await world.startController();
      await controller.synced;
      await people.create({ ...INSTANCES, namespace }, instanceOf(script));
      expect(await comeToRest()).toBe(true);
      await people.patch({ ...VERSIONS, name: FIRST_VERSION }, 'merge', { spec: { templates: templatesOf('second') } });
      await people.patch(KEY, 'merge', { spec: { parameters: { A: 'new' } } });
      expect(await comeToRest()).toBe(true);
      expect(sandbox.api.get(OWN)?.data).toMatchObject({ edition: 'second', a: 'new' });
    })(),
  );
  await world.stop();
});
