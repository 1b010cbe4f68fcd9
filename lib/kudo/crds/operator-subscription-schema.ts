import type { JsonObject } from '@/lib/json/json';
import { SEVERITIES } from '@/lib/kudo/repository/lifecycle';
import { APPROVAL_MODES } from '@/lib/kudo/upgrades/operator-subscription';
import { limits } from '@/lib/limits/limits';
import { waveFields } from './operator-upgrade-schema';
import { boolean, list, map, object, string } from './schema-words';

const URL_CHARS = 2_000;

/** `OperatorSubscription.spec`. */
export function operatorSubscriptionSpecSchema(): JsonObject {
  return {
    ...object('', {
      operator: { ...string('The operator whose Instances are upgraded.'), minLength: 1, maxLength: 253 },
      repository: {
        ...string('The address of the folder of index.yaml, http or https; or oci:// and the path above the packages.'),
        ...{ pattern: '^(https?|oci)://[^@\\s]+$', maxLength: URL_CHARS },
      },
      signatureKeys: {
        ...list(
          { ...string(), maxLength: limits.index.keyChars },
          'Public keys in PEM: only packages that one of them has signed are installed.',
        ),
        ...{ minItems: 1, maxItems: limits.index.keys },
      },
      pullSecret: {
        ...string(
          'A Secret of type kubernetes.io/dockerconfigjson in this namespace: its user for the registry of an oci:// address.',
        ),
        maxLength: 253,
      },
      channel: {
        ...string('The channel of the repository; stable when absent.'),
        ...{ minLength: 1, maxLength: limits.index.channelChars },
      },
      approval: {
        ...string('Manual (when absent): a person approves each version. Automatic: upgrades start by themselves.'),
        enum: [...APPROVAL_MODES],
      },
      selector: {
        ...map(string(), 'Labels of the Instances; every Instance of the operator in the namespace when absent.'),
        maxProperties: 20,
      },
      intervalMinutes: {
        ...{ type: 'integer', minimum: 5, maximum: 10_080 },
        description: 'How often the repository is asked; 60 when absent.',
      },
      suspend: boolean('Nothing is asked or started while this is true.'),
      waveSize: {
        type: 'integer',
        minimum: 1,
        maximum: limits.upgrades.instances,
        description: 'Instances at once; 1 when absent.',
      },
      ...waveFields(),
      confirm: { ...string('The name of the operator: confirms the starts of destructive plans.'), maxLength: 253 },
    }),
    required: ['operator', 'repository'],
    'x-kubernetes-validations': [
      {
        rule: "!has(self.confirm) || self.confirm == '' || self.confirm == self.operator",
        message: 'confirm must be the name of the operator',
      },
    ],
  };
}

/** `OperatorSubscription.status`. */
export function operatorSubscriptionStatusSchema(): JsonObject {
  const time = (description: string) => ({ type: 'string', format: 'date-time', description });
  const advisory = object('', {
    id: string(),
    severity: { ...string(), enum: [...SEVERITIES] },
    summary: string(),
    url: string(),
    fixedIn: string('The operatorVersion that has it no more.'),
  });
  const installed = object('', {
    version: string('The name of the OperatorVersion.'),
    instances: { type: 'integer' },
    advisories: list(advisory, 'Known problems of the version.'),
    withdrawn: string('Why the version was withdrawn.'),
  });
  return object('', {
    approvedVersion: string('The OperatorVersion that a person approves; the controller writes everything else.'),
    checkedAt: time('When the repository was asked last.'),
    nextCheck: time('When it is asked next.'),
    failures: { type: 'integer', description: 'Checks in a row that failed.' },
    problem: string('Why the last check failed.'),
    observed: string('Repository, operator and channel of the last check.'),
    installed: list(installed, 'Versions of the Instances, oldest first.'),
    available: string('The newest version of the channel.'),
    path: list(string(), 'The OperatorVersions that the oldest Instances move to next.'),
    heldBy: string('Why no upgrade is under way although there is a newer version.'),
    upgrade: string('The OperatorUpgrade that was created last.'),
  });
}
