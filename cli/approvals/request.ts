import { Command } from 'commander';
import { TerminalError } from '@/lib/errors/errors';
import { PLAN_APPROVAL_API_VERSION, PLAN_APPROVALS, type PlanApproval } from '@/lib/kudo/approvals/plan-approval';
import { randomUuid, systemRandom } from '@/lib/random/random';
import { type ParameterFlags, readParameters, withParameterFlags } from '../support/parameter-flags';
import { withSession } from '../support/session';

const NO_WEBHOOK =
  'no admission webhook sees who asks, so that no approval would count; ask again when the webhook of the controller is registered';

interface RequestFlags extends ParameterFlags {
  readonly instance: string;
  readonly name: string;
  readonly reason?: string;
  readonly operatorVersion?: string;
}

/** `bravo plan request --instance I --name PLAN [-p …]`: asks a second person to approve one start of a plan. */
export function planRequestCommand(): Command {
  const command = new Command('request')
    .description('Ask a second person to approve one start of a plan, with the parameters as they are and those of -p')
    .requiredOption('--instance <name>', 'the instance')
    .requiredOption('--name <plan>', 'the plan')
    .option('--operator-version <name>', 'the OperatorVersion that the start moves the instance to')
    .option('--reason <text>', 'why, for the person who approves');
  return withParameterFlags(command).action(async (_flags: unknown, self: Command) => {
    const flags = self.opts<RequestFlags>();
    const parameters = await readParameters(flags);
    const { instance: instanceName, name: plan, reason, operatorVersion } = flags;
    await withSession(self, async ({ api, namespace, printLine }) => {
      const name = `${instanceName}-${plan}-${randomUuid(systemRandom).slice(0, 8)}`
        .toLowerCase()
        .replace(/[^a-z0-9.-]/g, '-');
      const approval: PlanApproval = {
        apiVersion: PLAN_APPROVAL_API_VERSION,
        kind: 'PlanApproval',
        metadata: { name, namespace },
        spec: {
          instanceName,
          plan,
          ...(Object.keys(parameters).length === 0 ? {} : { parameters: { ...parameters } }),
          ...(operatorVersion === undefined ? {} : { operatorVersion }),
          ...(reason === undefined ? {} : { reason }),
        },
      };
      const target = { ...PLAN_APPROVALS, namespace };
      // Values are sent only where a webhook replaces them by fingerprints.
      const stored = (await api.create(target, approval, { dryRun: true })) as PlanApproval;
      if ((stored.spec?.proof ?? '') === '') throw new TerminalError(NO_WEBHOOK, 'Invalid');
      await api.create(target, approval);
      printLine(`approval ${name} waits for a second person: bravo approval approve ${name} -n ${namespace}`);
    });
  });
}
