import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';
import { CelMap, type CelValue } from './values';

/** JSON without a schema as CEL sees it: objects are maps, whole numbers are integers. Members are converted when they are read. */
export function fromJson(value: JsonValue | undefined): CelValue {
  if (value === undefined) return null;
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(fromJson);
  return isJsonObject(value) ? new JsonMap(value) : value;
}

/** A JSON object as a map. */
class JsonMap extends CelMap {
  private readonly known = new Map<string, CelValue>();

  constructor(private readonly object: JsonObject) {
    super();
  }

  get size(): number {
    return Object.keys(this.object).length;
  }

  find(key: CelValue): CelValue | undefined {
    if (typeof key !== 'string' || !Object.hasOwn(this.object, key)) return undefined;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const made = fromJson(this.object[key]);
    this.known.set(key, made);
    return made;
  }

  keys(): CelValue[] {
    return Object.keys(this.object);
  }
}
