import type { RenderBudget, RenderEnvironment, TemplatePlace } from '@/lib/template/contract';
import type { TemplateErrorKind } from '@/lib/template/template-error';
import type { Randomness } from './randomness';

/** Texts to render one after the other with one source of random bytes: what a task needs in one go. Plain data. */
export interface RenderBatch {
  readonly templates: readonly { readonly name: string; readonly text: string }[];
  /** What the templates see; an undefined member is Go's nil list. */
  readonly values: { readonly [name: string]: unknown };
  readonly randomness: Randomness;
  /** `now` of the templates. */
  readonly nowMs: number;
  readonly compatibility?: 'sprig3' | 'kudo019';
  readonly budget?: Partial<RenderBudget>;
  /** As of a rendering: for simulations, whose keys nobody uses. */
  readonly hasDraftKeys?: RenderEnvironment['hasDraftKeys'];
}

export interface RenderFailure {
  readonly failure: TemplateErrorKind;
  readonly place: TemplatePlace;
  readonly message: string;
}

/** One template's text and whether random bytes are in it, or why there is none. */
export type RenderResult = { readonly text: string; readonly isRandom: boolean } | { readonly error: RenderFailure };

/** To the worker: a batch, and two cells that tell how far it is (index of the template, byte offset in it). */
export interface RenderCommand {
  readonly batch: RenderBatch;
  readonly progress: SharedArrayBuffer;
}

/** From the worker. `started` begins the time that a batch may take. */
export type RenderMessage =
  | { readonly type: 'started' }
  | { readonly type: 'done'; readonly results: readonly RenderResult[] };
