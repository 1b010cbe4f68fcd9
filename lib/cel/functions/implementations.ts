import { ADDRESS_FUNCTIONS } from './addresses';
import { ARITHMETIC } from './arithmetic';
import { AUTHORIZER_FUNCTIONS } from './authorizer';
import { DURATION_AND_TIME_FUNCTIONS } from './calendar';
import { COMPARISONS } from './comparisons';
import { CONVERSIONS } from './conversions';
import { FORMAT_FUNCTIONS } from './formats';
import type { CelFunction } from './function';
import { LIST_FUNCTIONS } from './lists';
import { OPTIONAL_FUNCTIONS } from './optionals';
import { QUANTITY_FUNCTIONS } from './quantities';
import { SEMVER_FUNCTIONS } from './semver';
import { TEXT_FUNCTIONS } from './texts';
import { URL_FUNCTIONS } from './urls';

/** Every function by name; one name may serve several types, each table taking what is its own. */
export const implementations: ReadonlyMap<string, CelFunction> = collect();

function collect(): ReadonlyMap<string, CelFunction> {
  const found = new Map<string, CelFunction>();
  const tables = [
    ...[ARITHMETIC, COMPARISONS, CONVERSIONS, DURATION_AND_TIME_FUNCTIONS, TEXT_FUNCTIONS, LIST_FUNCTIONS],
    ...[OPTIONAL_FUNCTIONS, QUANTITY_FUNCTIONS, URL_FUNCTIONS, ADDRESS_FUNCTIONS, FORMAT_FUNCTIONS],
    ...[SEMVER_FUNCTIONS, AUTHORIZER_FUNCTIONS],
  ];
  for (const [name, run] of tables.flat()) {
    const before = found.get(name);
    found.set(name, before === undefined ? run : (args, overload) => before(args, overload) ?? run(args, overload));
  }
  return found;
}
