import { formatTime, parseTime } from '@/lib/clock/clock';
import { arrayAt, getAt, isJsonObject, type JsonValue, parseJsonObject, stringAt } from '@/lib/json/json';
import type { RunOutput } from './plan-run';

/** As long as Kubernetes keeps of a termination message. */
const MAX_MESSAGE_CHARS = 4_096;
const MAX_TEXT_CHARS = 500;

/**
 * The outputs in a termination message: `{"outputs": [{"type", "name", "size"?, "createdAt"?, "target"?, "verified"?}, …]}`. Empty for
 * any other text; an entry without type or name is left out.
 */
export function outputsIn(message: string): RunOutput[] {
  if (message.length > MAX_MESSAGE_CHARS) return [];
  return arrayAt(parseJsonObject(message.trim()), 'outputs').flatMap(readOutput);
}

function readOutput(value: JsonValue): RunOutput[] {
  if (!isJsonObject(value)) return [];
  const text = (key: string) => (stringAt(value, key) ?? '').slice(0, MAX_TEXT_CHARS);
  const [type, name, target, createdAt] = [text('type'), text('name'), text('target'), text('createdAt')];
  if (type === '' || name === '') return [];
  const createdMs = parseTime(createdAt);
  const size = getAt(value, 'size');
  const verified = getAt(value, 'verified');
  return [
    {
      type,
      name,
      ...(typeof size === 'number' && Number.isSafeInteger(size) && size >= 0 ? { size } : {}),
      // The schema takes nothing but times.
      ...(createdMs === undefined ? {} : { createdAt: formatTime(createdMs) }),
      ...(target === '' ? {} : { target }),
      ...(typeof verified === 'boolean' ? { verified } : {}),
    },
  ];
}
