import { type FailureFinding, quoted } from './failure-finding';

type Words = Pick<FailureFinding, 'cause' | 'why' | 'advice'>;

/**
 * The cause in a sentence of the API server, or of a controller that repeats it: the message of a step, or of an event `FailedCreate`.
 * Undefined for any other sentence.
 *
 * Source of the texts: Kubernetes apiserver (admission webhook, quota, rbac), plugin/pkg/admission (limitranger, serviceaccount),
 * pod-security-admission.
 */
export function refusalIn(text: string): Words | undefined {
  // A quota and a webhook answer with `is forbidden` too, so the permissions come last.
  return webhook(text) ?? quota(text) ?? permission(text);
}

/** The cause in a sentence of Bravo's own tasks; undefined for any other sentence. */
export function taskProblemIn(text: string): Words | undefined {
  return missingKind(text) ?? template(text) ?? finalizer(text);
}

/** True for the message of a step that names a cause itself, not only what is waited for. */
export function namesCause(message: string): boolean {
  return (taskProblemIn(message) ?? refusalIn(message)) !== undefined;
}

function webhook(text: string): Words | undefined {
  const advice = 'Change what it objects to, or ask those who run it for an exception.';
  const denied = /admission webhook "([^"]+)" denied the request(?: without explanation)?(?::\s*(.*))?/s.exec(text);
  if (denied !== null) return refusal(`Admission webhook ${denied[1]} denied the request`, denied[2], advice);
  const policy = /ValidatingAdmissionPolicy '([^']+)'.*? denied request: (.*)/s.exec(text);
  if (policy !== null) return refusal(`Admission policy ${policy[1]} denied the request`, policy[2], advice);
  const security = /violates PodSecurity "([^"]+)": (.*)/s.exec(text);
  if (security !== null)
    return refusal(`Pod security level ${security[1]} does not allow the pod`, security[2], advice);
  const unreachable = /failed calling webhook "([^"]+)":\s*(.*)/s.exec(text);
  if (unreachable === null) return undefined;
  const fix = 'Bring the Service of the webhook back, or delete its configuration.';
  return refusal(`Admission webhook ${unreachable[1]} cannot be called`, unreachable[2], fix);
}

function refusal(what: string, why: string | undefined, advice: string): Words {
  const reason = quoted(why ?? '');
  return { cause: 'webhook-refusal', why: reason === '' ? what : `${what}: ${reason}`, advice };
}

function quota(text: string): Words | undefined {
  const exceeded = /exceeded quota: ([^,\s]+), requested: (.+?), used: (.+?), limited: ([^;\s]+)/.exec(text);
  if (exceeded !== null) {
    const [, name, requested, used, limit] = exceeded;
    const why = `ResourceQuota ${name} is exceeded: requested ${requested}, used ${used}, limited to ${limit}`;
    return { cause: 'quota', why, advice: `Raise ResourceQuota ${name}, or lower what the pods request.` };
  }
  const unset = /failed quota: ([^:\s]+): must specify ([^;]+)/.exec(text);
  if (unset !== null) {
    const why = `ResourceQuota ${unset[1]} wants every pod to state ${quoted(unset[2] ?? '')}`;
    return { cause: 'quota', why, advice: 'Set these requests and limits on the containers.' };
  }
  const range = /((?:minimum|maximum) \S+ usage per \w+ is [^;]+)/.exec(text);
  if (range === null) return undefined;
  const why = `A LimitRange does not allow it: ${quoted(range[1] ?? '')}`;
  return { cause: 'quota', why, advice: 'Change the requests and limits of the containers, or the LimitRange.' };
}

const DENIED =
  /User "([^"]+)" cannot (\w+) resource "([^"]+)"(?: in API group "([^"]*)")?(?: in the namespace "([^"]+)")?/;

function permission(text: string): Words | undefined {
  const denied = DENIED.exec(text);
  if (denied !== null) {
    const [, user, verb, resource, group = '', namespace] = denied;
    const what = group === '' ? resource : `${resource}.${group}`;
    const where = namespace === undefined ? 'in the whole cluster' : `in namespace ${namespace}`;
    const role = namespace === undefined ? 'ClusterRole and a ClusterRoleBinding' : 'Role and a RoleBinding';
    return {
      cause: 'rbac',
      why: `User ${user} has no permission to ${verb} ${what} ${where}`,
      advice: `Grant the permission with a ${role}.`,
    };
  }
  const account = /serviceaccounts? "([^"]+)" not found/.exec(text);
  if (account !== null) {
    return {
      cause: 'rbac',
      why: `ServiceAccount ${account[1]} of the pods does not exist`,
      advice: 'Create the ServiceAccount with its permissions, or correct its name.',
    };
  }
  if (!/attempting to grant RBAC permissions not currently held/.test(text)) return undefined;
  return {
    cause: 'rbac',
    why: 'The controller has no permission to grant permissions that it does not have itself',
    advice: 'Grant these permissions to the controller, or the verb escalate on roles.',
  };
}

function missingKind(text: string): Words | undefined {
  const found =
    /does not know the kind (\S+) in ([^\s;:]+)/.exec(text) ??
    /no matches for kind "([^"]+)" in version "([^"]+)"/.exec(text);
  if (found === null) return undefined;
  return {
    cause: 'wrong-api-version',
    why: `The cluster does not serve the kind ${found[1]} in ${found[2]}`,
    advice: 'Correct apiVersion and kind in the template, or install the CustomResourceDefinition that serves them.',
  };
}

function template(text: string): Words | undefined {
  const advice = 'Correct the template of the operator, or the parameters that it uses.';
  const failed = /\btemplate (\S+) (cannot be rendered|gives|without|has)\b(.*)/s.exec(text);
  if (failed !== null) {
    return { cause: 'template-error', why: quoted(`Template ${failed[1]} ${failed[2]}${failed[3]}`), advice };
  }
  const unknown = /the operator has no template (\S+)/.exec(text);
  if (unknown !== null) return { cause: 'template-error', why: `The operator has no template ${unknown[1]}`, advice };
  const invalid = /(\S+ "[^"]+" is invalid: .*)/s.exec(text) ?? /([A-Z]\S+ \S+ is refused: .*)/s.exec(text);
  // Another advice holds for a field that cannot be changed, and the message has it.
  if (invalid === null || /immutable/i.test(text)) return undefined;
  return { cause: 'template-error', why: `The API server refuses an object: ${quoted(invalid[1] ?? '')}`, advice };
}

function finalizer(text: string): Words | undefined {
  const held = /(\S+) (\S+): is being deleted \(held by ([^)]+)\)/.exec(text);
  return held === null ? undefined : heldBack(`${held[1]} ${held[2]}`, (held[3] ?? '').split(', '));
}

/** An object (`Kind name`) that is being deleted, and the finalizers that keep it. */
export function heldBack(object: string, finalizers: readonly string[]): Words {
  const [noun, verb] = finalizers.length === 1 ? ['finalizer', 'is'] : ['finalizers', 'are'];
  return {
    cause: 'finalizer',
    why: `${object} cannot be deleted while its ${noun} ${finalizers.join(', ')} ${verb} set`,
    advice: `Start the controller that removes the ${noun}, or remove the ${noun} when nothing is left to clean up.`,
  };
}
