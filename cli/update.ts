import { Command } from 'commander';
import { messageOf, TerminalError } from '@/lib/errors/errors';
import type { JsonValue } from '@/lib/json/json';
import type { ChangePreview } from '@/lib/kudo/admission/triggers';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { gateWishes, requestAnnotations } from '@/lib/kudo/runs/run-request';
import { parameterSourceOf } from '@/lib/kudo/sources/parameter-source';
import type { Instance, ParameterSource } from '@/lib/kudo/types';
import { executionUids } from '@/server/packages/await-plan';
import { previewChange } from '@/server/preconditions/preview-change';
import { type ConfirmFlags, confirmationFor, withConfirmFlag } from './support/confirm';
import { type GateFlags, wishesOf, withGateFlags } from './support/gate-flags';
import { getOperatorVersion, requireInstance, type WaitFlags, waitForPlan } from './support/instances';
import { type ParameterFlags, readParameters, withParameterFlags } from './support/parameter-flags';
import { type PreviewFlags, readPreviewFormat, showPreview, withPreviewFlags } from './support/preview-flags';
import { withSession } from './support/session';
import { readSourceFlags, refuseSourced, type SourceFlags, withSourceFlags } from './support/source-flags';
import { writeOrWarn } from './support/warn-if-no-controller';

interface UpdateFlags extends ParameterFlags, SourceFlags, WaitFlags, ConfirmFlags, PreviewFlags, GateFlags {
  readonly inline?: boolean;
  readonly reason?: string;
  readonly instance?: string;
}

/** `bravo update --instance I -p K=V`: changes parameters and starts the plan that they trigger. */
export function updateCommand(): Command {
  const command = new Command('update')
    .description('Change parameters of an instance')
    .argument('[arguments...]')
    .option('--instance <name>', 'the instance')
    .option('--inline', 'keep the values in the instance, also of parameters whose values are in a secret or configmap')
    .option('--reason <text>', 'why, for the record of the run')
    .option('--wait', 'wait until the plan that starts is complete')
    .option('--wait-time <seconds>', 'how long to wait', '300');
  return withPreviewFlags(withGateFlags(withConfirmFlag(withSourceFlags(withParameterFlags(command))))).action(
    async (words: string[], _flags: unknown, self: Command) => {
      const flags = self.opts<UpdateFlags>();
      readPreviewFormat(flags);
      const parameters = await readParameters(flags);
      const sources = readSourceFlags(flags, parameters);
      const name = check(words, flags, { ...parameters, ...sources });
      await withSession(self, async (session) => {
        const instance = await requireInstance(session, name);
        const operatorVersion = await getOperatorVersion(session, instance);
        if (flags.inline !== true) refuseSourced(instance, parameters);
        const edit = { ...editOf(instance, parameters, sources), ...gateWishes(flags) };
        if (flags.preview === true) {
          await showPreview(session, { instance, operatorVersion }, { edit }, flags);
          return;
        }
        const preview = await previewChange(session.api, instance, operatorVersion, edit);
        if (preview.outcome === 'refused') {
          throw new TerminalError(`updating instance ${name}: ${preview.message ?? 'the edit is refused'}`, 'Denied');
        }
        for (const warning of preview.warnings) process.stderr.write(`Warning: ${warning}\n`);
        const said = requestAnnotations(preview.plan, wishesOf(flags));
        const annotations = { ...(await confirmationFor(preview, operatorVersion, flags)), ...said };
        // KUDO sends the empty members too; a merge patch ignores them.
        const patch = {
          metadata: { ...guardOf(instance, edit), annotations },
          spec: { operatorVersion: {}, ...specOf(edit, preview.instance), planExecution: {} },
        };
        const target = { ...INSTANCES, namespace: session.namespace, name };
        await writeOrWarn(session, () => session.api.patch(target, 'merge', patch)).catch((error: unknown) => {
          throw new TerminalError(`updating instance ${name}: ${messageOf(error)}`, 'Denied', { cause: error });
        });
        if (flags.wait === true && preview.plan !== undefined) {
          await waitForPlan(session, name, flags, executionUids(instance));
        }
        session.printLine(`Instance ${name} was updated.${queueWords(preview, flags)}`);
      });
    },
  );
}

/** Which plans wait, as a sentence. */
function queueWords({ outcome, plan = '', next = [] }: ChangePreview, { wait }: UpdateFlags): string {
  const plans = outcome === 'queues' ? [plan, ...next] : next;
  if (plans.length === 0 || wait === true) return '';
  return ` ${plans.length === 1 ? 'Plan' : 'Plans'} ${plans.join(', ')} ${plans.length === 1 ? 'waits' : 'wait'} in the queue.`;
}

interface Edit {
  readonly parameters: { readonly [name: string]: string | null };
  readonly sources?: { readonly [name: string]: ParameterSource | null };
}

/** A parameter that gets a source loses its value, and one that gets a value loses its source. */
function editOf(
  { spec }: Instance,
  parameters: { readonly [name: string]: string },
  sources: { readonly [name: string]: ParameterSource },
): Edit {
  const moved = Object.keys(sources).filter((name) => Object.hasOwn(spec?.parameters ?? {}, name));
  const inlined = Object.keys(parameters).filter((name) => parameterSourceOf(spec, name) !== undefined);
  if (Object.keys(sources).length === 0 && inlined.length === 0) return { parameters };
  return {
    parameters: { ...parameters, ...nulls(moved) },
    sources: { ...sources, ...nulls(inlined) },
  };
}

function nulls(names: readonly string[]): { [name: string]: null } {
  return Object.fromEntries(names.map((name) => [name, null]));
}

/** A merge patch replaces the whole list of sources, so it must be the one that was read. */
function guardOf({ metadata }: Instance, { sources }: Edit): { resourceVersion?: string } {
  const { resourceVersion } = metadata;
  return sources === undefined || resourceVersion === undefined ? {} : { resourceVersion };
}

function specOf({ parameters, sources }: Edit, { spec }: Instance) {
  if (sources === undefined) return { parameters };
  return { parameters, parametersFrom: (spec?.parametersFrom ?? null) as unknown as JsonValue };
}

function check(words: readonly string[], flags: UpdateFlags, parameters: { [name: string]: unknown }): string {
  const refuse = (message: string): never => {
    throw new TerminalError(message, 'InvalidArguments');
  };
  if (words.length > 0) refuse('expecting no arguments provided for update. Only named flags are accepted');
  const { instance = '' } = flags;
  if (instance === '') refuse('--instance flag has to be provided to indicate which instance you want to update');
  if (Object.keys(parameters).length === 0) {
    refuse('need to specify at least one parameter to override via -p otherwise there is nothing to update');
  }
  return instance;
}
