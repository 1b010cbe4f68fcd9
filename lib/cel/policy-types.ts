import { BOOL, type CelType, DYN, INT, listTypeOf, mapTypeOf, STRING, structType, TIMESTAMP } from './cel-type';

type Fields = { readonly [name: string]: CelType };

const struct = (name: string, fields: Fields) => structType(`kubernetes.${name}`, new Map(Object.entries(fields)));

const texts = (...names: string[]): Fields => Object.fromEntries(names.map((name) => [name, STRING]));

const KIND = struct('GroupVersionKind', texts('group', 'version', 'kind'));
const RESOURCE = struct('GroupVersionResource', texts('group', 'version', 'resource'));
const USER = struct('UserInfo', {
  ...texts('username', 'uid'),
  groups: listTypeOf(STRING),
  extra: mapTypeOf(STRING, listTypeOf(STRING)),
});

/** `request` of policies and match conditions (apiserver admission/plugin/cel BuildRequestType). */
export const REQUEST_TYPE = struct('AdmissionRequest', {
  ...{ kind: KIND, resource: RESOURCE, subResource: STRING, requestKind: KIND, requestResource: RESOURCE },
  ...texts('requestSubResource', 'name', 'namespace', 'operation'),
  ...{ userInfo: USER, dryRun: BOOL, options: DYN },
});

const CONDITION = struct('NamespaceCondition', {
  ...texts('status', 'type', 'message', 'reason'),
  lastTransitionTime: TIMESTAMP,
});

const METADATA = struct('NamespaceMetadata', {
  ...texts('name', 'generateName', 'namespace', 'UID', 'resourceVersion'),
  ...{ labels: mapTypeOf(STRING, STRING), annotations: mapTypeOf(STRING, STRING), finalizers: listTypeOf(STRING) },
  ...{ creationTimestamp: TIMESTAMP, deletionTimestamp: TIMESTAMP },
  ...{ deletionGracePeriodSeconds: INT, generation: INT },
});

/** `namespaceObject` (apiserver admission/plugin/cel BuildNamespaceType). */
export const NAMESPACE_TYPE = struct('Namespace', {
  metadata: METADATA,
  spec: struct('NamespaceSpec', { finalizers: listTypeOf(STRING) }),
  status: struct('NamespaceStatus', { conditions: listTypeOf(CONDITION), phase: STRING }),
});

/** The variables of match conditions, by name. */
export const CONDITION_VARIABLES: ReadonlyMap<string, CelType> = new Map([
  ['object', DYN],
  ['oldObject', DYN],
  ['request', REQUEST_TYPE],
  ['namespaceObject', NAMESPACE_TYPE],
  ['authorizer', structType('kubernetes.authorization.Authorizer')],
  ['authorizer.requestResource', structType('kubernetes.authorization.ResourceCheck')],
]);

/** The variables of a ValidatingAdmissionPolicy, without its own `variables`. */
export const POLICY_VARIABLES: ReadonlyMap<string, CelType> = new Map([...CONDITION_VARIABLES, ['params', DYN]]);
