import { TerminalError } from '@/lib/errors/errors';
import { isHarnessKind, readTestAssert, readTestStep, type TestAssert, type TestStep } from './definitions';
import type { StepFileKind } from './file-name';
import type { SourceObject } from './source-object';

/** One file of a step, read. */
export interface StepFile {
  readonly path: string;
  readonly kind: StepFileKind;
  /** The words of its name; of a file in a step's folder, those of the folder. */
  readonly words: string;
  readonly objects: readonly SourceObject[];
}

/** A step that is ready to run. */
export interface CaseStep {
  readonly index: number;
  readonly name: string;
  readonly step: TestStep;
  readonly assert: TestAssert;
  readonly apply: readonly SourceObject[];
  readonly asserts: readonly SourceObject[];
  readonly errors: readonly SourceObject[];
}

const NO_STEP: TestStep = {
  name: '',
  apply: [],
  assert: [],
  error: [],
  delete: [],
  commands: [],
  kubeconfig: '',
  kubeconfigLoading: 'Eager',
  context: '',
};

const NO_ASSERT: TestAssert = {
  timeout: 0,
  collectors: [],
  commands: [],
  expressions: { refs: [], any: [], all: [] },
};

/** Objects that a TestStep names by path. */
export interface Referenced {
  readonly apply: readonly SourceObject[];
  readonly assert: readonly SourceObject[];
  readonly error: readonly SourceObject[];
}

/**
 * Puts the files of a step together, in their order (KUTTL step/step.go): TestStep and TestAssert configure it, everything else is
 * applied, expected or forbidden, by the file's name.
 *
 * @param load reads what the TestStep's `apply`, `assert` and `error` name
 * @throws TerminalError for two TestSteps
 */
export async function assembleStep(
  index: number,
  files: readonly StepFile[],
  load: (step: TestStep) => Promise<Referenced>,
): Promise<CaseStep> {
  let step: TestStep | undefined;
  let assert = NO_ASSERT;
  const found: { [kind in StepFileKind]: SourceObject[] } = { apply: [], assert: [], errors: [] };
  for (const { kind, objects } of files) {
    for (const source of objects) {
      if (kind === 'apply' && isHarnessKind(source, 'TestStep')) {
        if (step !== undefined) {
          throw new TerminalError(
            `${source.file}:${source.lineOf([])}: more than 1 TestStep not allowed in step "${index}"`,
            'InvalidSuite',
          );
        }
        step = readTestStep(source);
      } else if (kind === 'assert' && isHarnessKind(source, 'TestAssert')) assert = readTestAssert(source);
      else found[kind].push(source);
    }
  }
  const more = await load(step ?? NO_STEP);
  return {
    index,
    name: step?.name || (files.find((file) => file.kind === 'apply')?.words ?? ''),
    step: step ?? NO_STEP,
    assert,
    apply: [...found.apply, ...more.apply],
    asserts: [...found.assert, ...more.assert],
    errors: [...found.errors, ...more.error],
  };
}

/** `INDEX-NAME`, as logs and reports name a step. */
export function stepTitle({ index, name }: Pick<CaseStep, 'index' | 'name'>): string {
  return `${index}-${name}`;
}
