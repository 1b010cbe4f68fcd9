import { builtins } from './builtins';
import type { FunctionTable } from './define';
import { dictFunctions } from './dicts';
import { encodingFunctions } from './encodings';
import { listFunctions } from './lists';
import { numberFunctions } from './numbers';
import { reflectionFunctions } from './reflection';
import { stringFunctions } from './strings';

/** Functions that are left out on purpose, with the reason that a parse error gives. */
export const absentFunctions: ReadonlyMap<string, string> = new Map([
  ['env', 'templates cannot read the environment'],
  ['expandenv', 'templates cannot read the environment'],
]);

const SPRIG_3: FunctionTable = {
  ...builtins,
  ...stringFunctions,
  ...numberFunctions,
  ...listFunctions,
  ...dictFunctions,
  ...reflectionFunctions,
  ...encodingFunctions,
};

/** The functions of a template by name. */
export function functionTable(_compatibility: 'sprig3' | 'kudo019'): FunctionTable {
  return SPRIG_3;
}
