import { objectAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import { queueKey, type WorkloadContext, type WorkloadController } from '../core/context';
import { resources } from '../core/resources';
import { isTerminating } from '../pods/pod-state';

const ACCOUNT_NAME = 'kubernetes.io/service-account.name';
const ACCOUNT_UID = 'kubernetes.io/service-account.uid';
const ROOT_CA = 'kube-root-ca.crt';

export interface ServiceAccountOptions {
  /** The certificate of the sandbox's own authority, PEM. */
  readonly caCertificate: string;
  /** Signs a token of a ServiceAccount for a Secret; undefined when the sandbox signs none. */
  readonly signToken?: ((account: KubeObject, secret: KubeObject) => string) | undefined;
}

/**
 * Gives every namespace its ServiceAccount `default` and the ConfigMap `kube-root-ca.crt`, and fills Secrets of type
 * service-account-token (Kubernetes pkg/controller/serviceaccount, pkg/controller/certificates/rootcacertpublisher).
 */
export function serviceAccountController(context: WorkloadContext, options: ServiceAccountOptions): WorkloadController {
  return {
    name: 'serviceaccount',
    *keysFor(event) {
      const { resource, group } = event.resource;
      if (group !== '') return;
      const { object } = event;
      if (resource === 'namespaces' && event.type !== 'DELETED') yield `/${nameOf(object)}`;
      if (resource === 'serviceaccounts' && event.type === 'DELETED') yield* lost(context, object);
      if (resource === 'configmaps' && nameOf(object) === ROOT_CA) yield `/${namespaceOf(object)}`;
      if (resource === 'secrets' && event.type !== 'DELETED' && isToken(object)) yield queueKey(object);
      if (resource === 'serviceaccounts' && event.type === 'ADDED') yield* lost(context, object);
    },
    reconcile(namespace, name) {
      if (namespace === '') ensure(context, name, options);
      else fillSecret(context, namespace, name, options);
      return undefined;
    },
  };
}

function isToken(secret: KubeObject): boolean {
  return secret.type === 'kubernetes.io/service-account-token';
}

/** An account came or went: its Secrets and its namespace are reconciled. */
function* lost(context: WorkloadContext, account: KubeObject): Generator<string> {
  if (nameOf(account) === 'default') yield `/${namespaceOf(account)}`;
  for (const secret of context.list(resources.secrets, namespaceOf(account))) {
    if (isToken(secret) && secret.metadata.annotations?.[ACCOUNT_NAME] === nameOf(account)) yield queueKey(secret);
  }
}

function ensure(context: WorkloadContext, namespace: string, options: ServiceAccountOptions): void {
  const owner = context.get(resources.namespaces, '', namespace);
  if (owner === undefined || isTerminating(owner)) return;
  if (context.get(resources.serviceaccounts, namespace, 'default') === undefined) {
    const metadata = { name: 'default', namespace };
    context.create(resources.serviceaccounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata });
  }
  publishCa(context, namespace, options.caCertificate);
}

function publishCa(context: WorkloadContext, namespace: string, certificate: string): void {
  const data = { 'ca.crt': certificate };
  const present = context.get(resources.configmaps, namespace, ROOT_CA);
  if (present !== undefined) {
    context.update(resources.configmaps, present, (copy) => {
      copy.data = data;
    });
    return;
  }
  const annotations = {
    'kubernetes.io/description':
      'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.',
  };
  const metadata = { name: ROOT_CA, namespace, annotations };
  context.create(resources.configmaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data });
}

/** A token Secret lives as long as its account; it holds the token, the namespace and the authority. */
function fillSecret(context: WorkloadContext, namespace: string, name: string, options: ServiceAccountOptions): void {
  const secret = context.get(resources.secrets, namespace, name);
  if (secret === undefined || !isToken(secret) || isTerminating(secret)) return;
  const account = context.get(resources.serviceaccounts, namespace, secret.metadata.annotations?.[ACCOUNT_NAME] ?? '');
  const uid = secret.metadata.annotations?.[ACCOUNT_UID];
  if (account === undefined || (uid !== undefined && uid !== account.metadata.uid)) {
    context.delete(resources.secrets, secret);
    return;
  }
  if (options.signToken === undefined || stringAt(secret, 'data', 'token') !== undefined) return;
  const token = options.signToken(account, secret);
  context.update(resources.secrets, secret, (copy) => {
    copy.metadata.annotations = { ...copy.metadata.annotations, [ACCOUNT_UID]: account.metadata.uid ?? '' };
    copy.data = {
      ...objectAt(copy, 'data'),
      'ca.crt': btoa(options.caCertificate),
      namespace: btoa(namespace),
      token: btoa(token),
    };
  });
}
