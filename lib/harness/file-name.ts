/** What a file or folder of a step holds. */
export type StepFileKind = 'apply' | 'assert' | 'errors';

/** What the name of a file or folder of a case says. */
export interface StepFileName {
  readonly kind: StepFileKind;
  /** The step; undefined when the name does not begin with a number and a dash. */
  readonly index: number | undefined;
  /** The words of the name without the number; they name the step. */
  readonly words: string;
  readonly isTemplate: boolean;
}

const PATTERN = /^(\d+-)?([^-.]+)(-[^.]+)?((?:\.gotmpl)?\.yaml)?$/;
/** Go reads the index with 32 bits. */
const MAX_INDEX = 2_147_483_647;

/** Reads the name of an entry of a case or of a step's folder (KUTTL 0.26, file/name.go). A text says why the entry is ignored. */
export function parseStepFileName(name: string): StepFileName | string {
  const match = PATTERN.exec(name);
  if (match === null) return `name does not follow pattern "${PATTERN.source}".`;
  const [, number, first = '', rest = '', extension = ''] = match;
  const index = number === undefined ? undefined : Number(number.slice(0, -1));
  if (index !== undefined && index > MAX_INDEX)
    return `parsing index failed: ${number?.slice(0, -1)} does not fit in 32 bits`;
  const word = first.toLowerCase();
  const kind = word === 'assert' || word === 'errors' ? word : 'apply';
  return { kind, index, words: `${first}${rest}`, isTemplate: extension.startsWith('.gotmpl') };
}
