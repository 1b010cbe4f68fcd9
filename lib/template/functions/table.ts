import { builtinFunctions } from './builtins';
import { caseFunctions } from './case';
import { cryptoFunctions } from './crypto';
import { dateFunctions } from './dates';
import type { GoFunctionTable } from './define';
import { dictFunctions } from './dicts';
import { encodingFunctions } from './encodings';
import { listFunctions } from './lists';
import { numberFunctions } from './numbers';
import { pathFunctions } from './paths';
import { randomFunctions } from './random';
import { reflectionFunctions } from './reflection';
import { regexFunctions } from './regex';
import { semverFunctions } from './semver';
import { stringFunctions } from './strings';
import { urlFunctions } from './urls';

/** Functions that are left out on purpose, with the reason that a parse error shows. */
export const absentFunctions: ReadonlyMap<string, string> = new Map([
  ['env', 'templates cannot read the environment'],
  ['expandenv', 'templates cannot read the environment'],
  ...['base', 'dir', 'clean', 'ext', 'isAbs'].map((name): [string, string] => [name, 'KUDO leaves it out']),
]);

const SPRIG_3: GoFunctionTable = Object.freeze({
  ...builtinFunctions,
  ...stringFunctions,
  ...caseFunctions,
  ...numberFunctions,
  ...listFunctions,
  ...dictFunctions,
  ...reflectionFunctions,
  ...encodingFunctions,
  ...regexFunctions,
  ...semverFunctions,
  ...dateFunctions,
  ...urlFunctions,
  ...pathFunctions,
  ...randomFunctions,
  ...cryptoFunctions,
});

/** What Sprig 2.22 lacks besides everything that begins with `must`. */
const NEWER = new Set(
  (
    'add1f addf all any bcrypt chunk dig divf duration durationRound fromJson genCAWithKey genSelfSignedCertWithKey ' +
    'genSignedCertWithKey get htpasswd maxf minf mulf subf osBase osClean osDir osExt osIsAbs randBytes randInt ' +
    'regexQuoteMeta seq sha512sum toRawJson'
  ).split(' '),
);

const SPRIG_2: GoFunctionTable = Object.freeze(
  Object.fromEntries(Object.entries(SPRIG_3).filter(([name]) => !NEWER.has(name) && !name.startsWith('must'))),
);

/** The functions of a template by name: text/template's own, Sprig's less those that KUDO removes, and toYaml. */
export function functionTable(compatibility: 'sprig3' | 'kudo019'): GoFunctionTable {
  return compatibility === 'kudo019' ? SPRIG_2 : SPRIG_3;
}
