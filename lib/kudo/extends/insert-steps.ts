import { arrayAt, cloneJson, isJsonObject, type JsonObject, type JsonValue, objectAt, stringAt } from '@/lib/json/json';
import type { Conflicts } from './flatten';

/**
 * The plans of the base with the steps of `steps: [{plan, phase, before|after: STEP, step: {name, tasks}}]`, in their order.
 * Without `before` and `after` a step is the last of its phase.
 */
export function insertSteps(plans: JsonObject, steps: JsonValue | undefined, conflicts: Conflicts): JsonObject {
  const result = cloneJson(plans);
  if (steps === undefined || steps === null) return result;
  if (!Array.isArray(steps)) {
    conflicts.add('operator.yaml', ['steps'], '"steps" must be a list');
    return result;
  }
  steps.forEach((entry, index) => {
    const conflict = (message: string, basePath?: readonly (string | number)[]) =>
      conflicts.add('operator.yaml', ['steps', index], message, basePath);
    if (isJsonObject(entry)) insertStep(result, entry, conflict);
    else conflict('A member of "steps" must be a map.');
  });
  return result;
}

type Report = (message: string, basePath?: readonly (string | number)[]) => void;

function insertStep(plans: JsonObject, entry: JsonObject, conflict: Report): void {
  const text = (name: string): string => stringAt(entry, name) ?? '';
  const [planName, phaseName, before, after] = [text('plan'), text('phase'), text('before'), text('after')];
  const plan = plans[planName];
  if (!isJsonObject(plan)) {
    conflict(`The base has no plan "${planName}". It has: ${Object.keys(plans).join(', ')}.`, ['plans']);
    return;
  }
  const phases = arrayAt(plan, 'phases').filter(isJsonObject);
  const phase = phases.find((each) => each.name === phaseName);
  if (phase === undefined) {
    const names = phases.map((each) => String(each.name)).join(', ');
    conflict(`The plan ${planName} of the base has no phase "${phaseName}". It has: ${names}.`, ['plans', planName]);
    return;
  }
  const steps = arrayAt(phase, 'steps');
  const step = objectAt(entry, 'step');
  const name = stringAt(step, 'name') ?? '';
  const path = ['plans', planName, 'phases', phases.indexOf(phase)];
  if (name === '') {
    conflict('"step" needs a name and tasks.');
    return;
  }
  if (before !== '' && after !== '') {
    conflict('A step goes either before or after another one.');
    return;
  }
  const known = steps.findIndex((each) => stringAt(each, 'name') === name);
  if (known >= 0) {
    conflict(`The base has a step ${name} in this phase too. Give yours another name.`, [...path, 'steps', known]);
    return;
  }
  const anchor = before === '' ? after : before;
  const at = steps.findIndex((each) => stringAt(each, 'name') === anchor);
  if (anchor !== '' && at < 0) {
    const names = steps.map((each) => stringAt(each, 'name') ?? '').join(', ');
    conflict(`The phase ${phaseName} of the plan ${planName} has no step "${anchor}". It has: ${names}.`, path);
    return;
  }
  const place = anchor === '' ? steps.length : before === '' ? at + 1 : at;
  phase.steps = [...steps.slice(0, place), cloneJson(step), ...steps.slice(place)];
}
