import { formatGoFloat } from '@/lib/template/format/float';
import { CelType } from './cel-type';
import { timestampText } from './functions/calendar';
import { durationText } from './functions/conversions';
import { CelDuration, CelMap, CelOpaque, CelOptional, CelTimestamp, CelUint, type CelValue, isCelList } from './values';

/** A value with its type, in one line: `[int:1,uint:2]`. */
export function showValue(value: CelValue): string {
  if (typeof value === 'bigint') return `int:${value}`;
  if (typeof value === 'number') return `double:${shownNumber(value)}`;
  if (typeof value === 'string') return JSON.stringify(value).replace(/[<>&]/g, escaped);
  if (typeof value === 'boolean' || value === null) return String(value);
  if (isCelList(value)) return `[${value.map(showValue).join(',')}]`;
  if (value instanceof CelMap) return `{${value.keys().map(entry(value)).sort().join(',')}}`;
  if (value instanceof CelUint) return `uint:${value.value}`;
  if (value instanceof Uint8Array)
    return `bytes:${[...value].map((each) => each.toString(16).padStart(2, '0')).join('')}`;
  if (value instanceof CelTimestamp) return `ts:${timestampText(value)}`;
  if (value instanceof CelDuration) return `dur:${durationText(value)}`;
  if (value instanceof CelOptional) return value.value === undefined ? 'none' : `some(${showValue(value.value)})`;
  if (value instanceof CelType) return `type:${value.name}`;
  return value instanceof CelOpaque && `${value}` !== '[object Object]'
    ? `${value.type.name}:${value}`
    : value.type.name;
}

const entry = (map: CelMap) => (key: CelValue) => `${showValue(key)}:${showValue(map.find(key) ?? null)}`;

const escaped = (each: string) => `\\u00${each.charCodeAt(0).toString(16)}`;

const shownNumber = (value: number): string =>
  Number.isFinite(value) ? formatGoFloat(value, 'g', -1) : Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
