import { Command } from 'commander';
import {
  OPERATOR_UPGRADES,
  type OperatorUpgrade,
  type OperatorUpgradeSpec,
} from '@/lib/kudo/upgrades/operator-upgrade';
import { withSession } from '../support/session';
import { requireUpgrade } from './upgrade-object';

interface Steering {
  readonly verb: string;
  readonly description: string;
  readonly done: string;
  /** What changes in the spec. */
  edit(upgrade: OperatorUpgrade): Partial<OperatorUpgradeSpec>;
}

const STEERING: readonly Steering[] = [
  {
    verb: 'pause',
    description: 'Start nothing new; plans in progress end first',
    done: 'paused',
    edit: () => ({ pause: true }),
  },
  {
    verb: 'resume',
    description: 'Go on after a pause, and try again what failed in the wave',
    done: 'resumed',
    edit: ({ spec, status }) => ({ pause: false, resume: Math.max(spec?.resume ?? 0, status?.resumed ?? 0) + 1 }),
  },
  {
    verb: 'cancel',
    description: 'End the upgrade after the plans in progress; what was upgraded stays',
    done: 'cancelled',
    edit: () => ({ cancel: true }),
  },
  {
    verb: 'roll-back',
    description: 'Move every instance of the upgrade back to the version and values from before',
    done: 'rolls back',
    edit: () => ({ rollBack: true }),
  },
];

/** `bravo upgrades pause|resume|cancel|roll-back NAME`. */
export function upgradesSteerCommands(): Command[] {
  return STEERING.map(({ verb, description, done, edit }) =>
    new Command(verb)
      .description(description)
      .argument('<name>', 'the upgrade')
      .action(async (name: string, _flags: unknown, self: Command) => {
        await withSession(self, async (session) => {
          const { api, namespace, printLine } = session;
          const spec = { ...edit(await requireUpgrade(session, name)) } as { [key: string]: boolean | number };
          await api.patch({ ...OPERATOR_UPGRADES, namespace, name }, 'merge', { spec });
          printLine(`upgrade ${namespace}/${name} ${done}`);
        });
      }),
  );
}
