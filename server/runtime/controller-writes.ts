import type { ControllerWrite } from '@/lib/kudo/installation/controller-offer';
import { LEASE_NAME } from '@/lib/kudo/installation/names';
import type { WebhookSettings } from '@/server/config/webhook';
import { FINGERPRINT_SECRET } from '@/server/controller/fingerprint-key';
import { leaseNamespaceOf } from '@/server/controller/lease-namespace';
import { SIGNING_SECRET } from '@/server/controller/signing-key';
import type { Api } from '@/server/kube/api';
import { SIGNING_KEYS_CONFIG_MAP } from '@/server/runs/run-signature';
import { type ClusterPlace, type WebhookPlace, webhookPlace } from '@/server/webhook/address';
import { WEBHOOK_SECRET } from '@/server/webhook/certificate-store';
import { CONFIGURATION_NAME } from '@/server/webhook/registration';

/** The same for a cluster, which says where its controllers keep their lease. @throws as Api.get */
export async function readControllerWrites(
  settings: WebhookSettings,
  { api, place }: { readonly api: Pick<Api, 'get'>; readonly place: ClusterPlace },
): Promise<ControllerWrite[]> {
  return controllerWrites(settings, place, await leaseNamespaceOf(api));
}

/**
 * What a controller beside the console writes to the cluster before any plan runs: its lease and its keys, both in the namespace that the
 * controllers of the cluster share (server/controller/lease-namespace), and its admission webhook.
 */
export function controllerWrites(
  settings: WebhookSettings,
  cluster: ClusterPlace,
  leaseNamespace: string,
): ControllerWrite[] {
  const lease: ControllerWrite = {
    kind: 'Lease',
    name: LEASE_NAME,
    namespace: leaseNamespace,
    purpose: 'Renewed every 5 s while the controller runs. Other controllers of Bravo wait while it is held.',
  };
  const key: ControllerWrite = {
    kind: 'Secret',
    name: FINGERPRINT_SECRET,
    namespace: leaseNamespace,
    purpose: 'A key with which the controller tells whether a secret parameter has changed. Created once.',
  };
  const signingKey: ControllerWrite = {
    kind: 'Secret',
    name: SIGNING_SECRET,
    namespace: leaseNamespace,
    purpose: 'A key with which the controller signs runs that are over. Created once.',
  };
  const publicKeys: ControllerWrite = {
    kind: 'ConfigMap',
    name: SIGNING_KEYS_CONFIG_MAP,
    namespace: leaseNamespace,
    purpose: 'The public keys, with which everybody can check such a signature.',
  };
  return [lease, key, signingKey, publicKeys, ...webhookWrites(webhookPlace(settings, cluster))];
}

function webhookWrites(place: WebhookPlace): ControllerWrite[] {
  const configuration = (purpose: string): ControllerWrite => ({
    kind: 'MutatingWebhookConfiguration',
    name: CONFIGURATION_NAME,
    namespace: '',
    purpose,
  });
  if (place.kind === 'none') {
    return [configuration('Not created. One that KUDO or Bravo left, and that nothing serves any more, is deleted.')];
  }
  const address = place.address(place.listen.port);
  if (address.kind === 'url') {
    const url = place.listen.port === 0 ? address.url.replace(/:0$/, '') : address.url;
    return [
      configuration(
        `The API server asks this process, at ${url}, about each change of an Instance. It is created only if the API server reaches that address, replaces the one of KUDO, and is deleted when Bravo stops.`,
      ),
    ];
  }
  const { namespace, name } = address;
  return [
    {
      kind: 'Secret',
      name: WEBHOOK_SECRET,
      namespace,
      purpose: 'The certificate of the admission webhook, and its key.',
    },
    configuration(
      `The API server asks Service ${namespace}/${name} about each change of an Instance. It is created only if the API server reaches the controller there, and replaces the one of KUDO.`,
    ),
  ];
}
