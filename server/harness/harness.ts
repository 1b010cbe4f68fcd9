import { formatTime } from '@/lib/clock/clock';
import type { CommandEnvironment } from '@/lib/harness/command';
import type { TestSuite } from '@/lib/harness/suite';
import type { JsonObject } from '@/lib/json/json';
import type { Random } from '@/lib/random/random';
import type { Api } from '@/server/kube/api';
import type { KindIndex } from '@/server/kube/kinds';
import type { Pace } from './pace';

/** A cluster that steps use. */
export interface HarnessCluster {
  readonly api: Api;
  readonly kinds: KindIndex;
  /** The KUBECONFIG of commands. */
  readonly kubeconfig: string;
}

/** What a run of a suite works with. */
export interface Harness {
  readonly suite: TestSuite;
  readonly cluster: HarnessCluster;
  /**
   * The cluster of a TestStep that names a kubeconfig or a context.
   * @throws TerminalError for a file that cannot be used
   */
  openCluster(kubeconfig: string, context: string): HarnessCluster;
  readonly pace: Pace;
  readonly random: Random;
  /** The environment of commands, without what the harness sets. */
  readonly environment: CommandEnvironment;
  /** Folders of launchers, before those of PATH. */
  readonly launchers: readonly string[];
  /** The working directory of suite commands; relative paths of the suite begin here. */
  readonly folder: string;
  /** `.Vars` of templates. */
  readonly templateVars: JsonObject;
  /** Fetches the text at a URL. */
  fetchText(url: string): Promise<string>;
  /** Writes a line of the log. */
  print(line: string): void;
  /** Ends everything: an interrupt. */
  readonly signal: AbortSignal;
}

/** The log of a case, a step or the suite. */
export interface HarnessLog {
  /** One entry; further lines of it stay together. */
  line(text: string): void;
  /** The log of a part of this one. */
  within(name: string): HarnessLog;
}

/** Lines as KUTTL writes them: `HH:MM:SS | CASE/STEP | TEXT`. */
export function createHarnessLog({ print, pace }: Pick<Harness, 'print' | 'pace'>, name: string): HarnessLog {
  return {
    line(text) {
      const time = formatTime(pace.clock.now()).slice(11, 19);
      for (const line of text.split('\n')) print(`    ${time} | ${name} | ${line}`);
    },
    within: (part) => createHarnessLog({ print, pace }, `${name}/${part}`),
  };
}
