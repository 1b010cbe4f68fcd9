import { CelType } from './cel-type';
import { CelError, CelMap, type CelValue, isCelList, typeNameOf } from './values';

/** What a loop walks over: items, keys, or with two variables places and items, keys and values. @throws CelError for other values */
export function* iterate(range: CelValue, isPair: boolean): Generator<readonly [CelValue, CelValue]> {
  if (isCelList(range)) {
    for (const [index, item] of range.entries()) yield isPair ? [BigInt(index), item] : [item, null];
  } else if (range instanceof CelMap) {
    for (const key of range.keys()) yield [key, range.find(key) ?? null];
  } else if (isPair) {
    throw new CelError(`unsupported comprehension range type: ${goType(range)}`);
  } else {
    throw new CelError(`got '${goType(range)}', expected iterable type`);
  }
}

/** cel-go's own names of the classes of values. */
function goType(value: CelValue): string {
  const name = typeNameOf(value);
  const short = name === 'null_type' ? 'Null' : name.replace(/^google\.protobuf\./, '');
  return value instanceof CelType ? '*types.Type' : `types.${short.charAt(0).toUpperCase()}${short.slice(1)}`;
}
