import type { JsonObject } from '@/lib/json/json';
import { forbidden } from '../../errors/status';
import { ensureObject, fill, objectOf, objectsOf, textOf, textsOf } from '../base/access';
import type { KindRules } from '../base/kind-rules';
import type { StrategyContext } from '../base/strategy';
import { defaultPriorityClass } from '../pods/admit-class';
import {
  validateConfigMap,
  validateEvent,
  validateImmutable,
  validateLease,
  validateNamespace,
  validateNamespaceStatus,
  validatePriorityClass,
  validatePriorityClassUpdate,
  validateSecret,
  validateSecretUpdate,
} from './validate';

const NAME_LABEL = 'kubernetes.io/metadata.name';

/** `stringData` is written into `data` and forgotten. */
function foldStringData(secret: JsonObject): void {
  const texts = objectOf(secret, 'stringData');
  delete secret.stringData;
  if (texts === undefined) return;
  const data = ensureObject(secret, 'data');
  for (const [key, value] of Object.entries(texts)) data[key] = Buffer.from(String(value), 'utf8').toString('base64');
}

const NOT_READY = 'node.kubernetes.io/not-ready';

/** A new node takes no pods until it is ready (admission plugin TaintNodesByCondition). */
function taintNewNode(node: JsonObject): void {
  const spec = ensureObject(node, 'spec');
  const taints = objectsOf(spec, 'taints');
  if (!taints.some((taint) => taint.key === NOT_READY)) {
    spec.taints = [...taints, { key: NOT_READY, effect: 'NoSchedule' }];
  }
}

function labelNamespace(namespace: JsonObject): void {
  const metadata = ensureObject(namespace, 'metadata');
  const name = textOf(metadata, 'name');
  if (name !== '') ensureObject(metadata, 'labels')[NAME_LABEL] = name;
}

/** The rules of the small kinds of the core group. */
export const coreRules: { readonly [kind: string]: KindRules } = {
  '/ConfigMap': { validate: validateConfigMap, validateUpdate: validateImmutable },
  '/Secret': {
    validate: validateSecret,
    validateUpdate: validateSecretUpdate,
    defaults(secret) {
      fill(secret, { type: 'Opaque' });
      foldStringData(secret);
    },
  },
  '/Namespace': {
    validate: validateNamespace,
    validateStatus: validateNamespaceStatus,
    defaults: labelNamespace,
    prepareCreate(namespace) {
      labelNamespace(namespace);
      const spec = ensureObject(namespace, 'spec');
      const finalizers = textsOf(spec, 'finalizers');
      spec.finalizers = finalizers.includes('kubernetes') ? finalizers : [...finalizers, 'kubernetes'];
      namespace.status = { phase: 'Active' };
    },
    prepareUpdate(namespace, old, { subresource }) {
      if (subresource === undefined) {
        namespace.spec = old.spec ?? {};
      }
    },
  },
  '/Node': {
    keepsStatusOnCreate: true,
    defaults(node) {
      const spec = ensureObject(node, 'spec');
      const cidr = textOf(spec, 'podCIDR');
      if (cidr !== '') fill(spec, { podCIDRs: [cidr] });
      const status = objectOf(node, 'status');
      if (status?.capacity !== undefined) fill(status, { allocatable: status.capacity });
    },
    prepareCreate: taintNewNode,
  },
  '/Endpoints': {
    defaults(endpoints) {
      for (const subset of objectsOf(endpoints, 'subsets')) {
        for (const port of objectsOf(subset, 'ports')) fill(port, { protocol: 'TCP' });
      }
    },
  },
  '/Event': { validateCreate: validateEvent },
  'events.k8s.io/Event': { validateCreate: validateEvent },
  'coordination.k8s.io/Lease': { validate: validateLease },
  'scheduling.k8s.io/PriorityClass': {
    hasGeneration: true,
    generationOf: [],
    defaults: (object) => fill(object, { preemptionPolicy: 'PreemptLowerPriority' }),
    prepareCreate: refuseSecondDefault,
    prepareUpdate: (object, _old, context) => refuseSecondDefault(object, context),
    validate: validatePriorityClass,
    validateUpdate: validatePriorityClassUpdate,
  },
};

/** Only one PriorityClass may be the default (admission plugin Priority). */
function refuseSecondDefault(object: JsonObject, context: StrategyContext): void {
  const name = textOf(objectOf(object, 'metadata'), 'name');
  const other = object.globalDefault === true ? defaultPriorityClass(context)?.metadata.name : undefined;
  if (other === undefined || other === name) return;
  const because = `PriorityClass ${other} is already marked as default. Only one default can exist`;
  throw forbidden({ group: 'scheduling.k8s.io', resource: 'priorityclasses' }, name, because);
}
