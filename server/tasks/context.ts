import type { Clock } from '@/lib/clock/clock';
import type { KubeObject } from '@/lib/kube/object';
import type { LiveInputs } from '@/lib/kudo/live-values/live-inputs';
import type { TemplateParameters } from '@/lib/kudo/rendering/unwrap';
import type { Fingerprinter } from '@/lib/kudo/secrets/fingerprint';
import type { Instance, OperatorVersion, Task } from '@/lib/kudo/types';
import type { PipeSettings } from '@/server/config/pipes';
import type { Api } from '@/server/kube/api';
import type { KindIndex } from '@/server/kube/kinds';
import type { Log } from '@/server/log/log';
import type { PatchPace } from './patch-pace';
import type { Randomness } from './randomness';
import type { ReadAhead } from './read-ahead';
import type { TextRenderer } from './render-texts';
import type { TouchedObjects } from './touched-objects';
import type { Replacements } from './volumes/replacements';
import type { WrittenObjects } from './written-objects';

/** What a task rendered in this run. Later changes of templates and parameters do not change it. */
export interface TaskObjects {
  readonly objects: readonly KubeObject[];
  readonly warnings: readonly string[];
  /** The template of each object, in their order; absent in the memory of a run that an earlier version began. */
  readonly templates?: readonly string[];
  /** Random bytes of the run's key are in them. */
  readonly isRandom?: boolean;
  /** What they were rendered with of the cluster; absent when that is nothing. */
  readonly live?: LiveInputs;
}

/** Where the memory of a run is stored. */
export interface RunPlace {
  readonly api: Api;
  readonly instance: Instance;
  readonly log: Log;
}

/** The memory of one run: each task of each step renders once. */
export interface RunMemory {
  /** Returns what is stored under the key; renders and stores it the first time. */
  rendered(key: string, render: () => Promise<TaskObjects>): Promise<TaskObjects>;
  /** What is stored under the key; undefined when nothing was rendered under it. */
  known?(key: string): Promise<TaskObjects> | undefined;
  /** The random bytes of a task: the same at every call with the same purpose. */
  randomness(purpose: string): Randomness;
  /**
   * Stores the key of the run unless it is stored already; nothing that was rendered with it may be written before. False when
   * another process has stored another key for this run first: that key counts from now on, and what was rendered is forgotten.
   */
  storeKey(place: RunPlace): Promise<boolean>;
  /** Like `storeKey`, with everything that was rendered: the cluster may give something else the next time. */
  store(place: RunPlace): Promise<boolean>;
  /** Limits how often the run writes the same bytes again; without it the run writes whenever something differs. */
  readonly patches?: PatchPace;
  /** What the tasks did with objects, for the record of the run. */
  readonly touched?: TouchedObjects;
  /** Objects that this process has deleted to create them again; without it they are created as rendered. */
  readonly replacements?: Replacements;
}

/** Everything that a task may know and use. */
export interface TaskContext {
  readonly api: Api;
  readonly kinds: KindIndex;
  readonly clock: Clock;
  readonly log: Log;
  /** With the version and parameters that the run began with. */
  readonly instance: Instance;
  readonly operatorVersion: OperatorVersion;
  readonly plan: string;
  readonly phase: string;
  readonly step: string;
  readonly uid: string;
  /** `now` of the templates, milliseconds since 1970. */
  readonly startedAtMs: number;
  readonly parameters: TemplateParameters;
  readonly pipes: { readonly [key: string]: string };
  readonly memory: RunMemory;
  readonly pipePods: PipeSettings;
  readonly renderTexts: TextRenderer;
  readonly fingerprints: Fingerprinter;
  /** True when the Instance has never finished a plan: its objects probably do not exist yet. */
  readonly isFirstPlan: boolean;
  /** Live objects that were read ahead for this task. */
  readonly ahead?: ReadAhead | undefined;
  /** What this leader term knows of the objects that it applied; without it every object is read before it is patched. */
  readonly written?: WrittenObjects;
  /** Called for an object whose rule does not hold yet: its next change runs the task again. */
  awaits?(object: KubeObject): void;
  /** Known pods of an object, for messages. */
  podsOf(object: KubeObject): readonly KubeObject[];
}

/** The key of a task's rendering within its run. */
export function memoryKey(context: Pick<TaskContext, 'phase' | 'step'>, task: Task): string {
  return `${context.phase}/${context.step}/${task.name}`;
}
