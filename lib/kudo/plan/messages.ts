/** Messages of plans that fail; clients and tests of KUDO read them (KUDO pkg/engine/workflow). */

/** The place of a task: `deploy.main.run.nodes`. */
export interface TaskPlace {
  readonly plan: string;
  readonly phase: string;
  readonly step: string;
  readonly task: string;
}

/** `plan.phase.step.task`, shorter when trailing parts are absent. */
export function formatPlace(place: Partial<TaskPlace>): string {
  return [place.plan, place.phase, place.step, place.task].filter((part) => part !== undefined).join('.');
}

/** The step message of an error that is retried. */
export function transientMessage(place: TaskPlace, cause: string): string {
  return `A transient error when executing task ${formatPlace(place)}. Will retry. ${cause}`;
}

/** The step and event message of a task that failed for good. `instance` is `namespace/name`. */
export function fatalTaskMessage(instance: string, place: TaskPlace, cause: string): string {
  return `Error during execution: fatal error: ${instance} failed in ${formatPlace(place)}: ${cause}`;
}

/** The status message of an engine-level failure; the event puts {@link ENGINE_EVENT_PREFIX} before it. */
export function engineMessage(instance: string, what: string): string {
  return `${instance} fatal error:  ${what}`;
}

export const ENGINE_EVENT_PREFIX = 'Error during execution: ';
