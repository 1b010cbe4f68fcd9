import { messageOf } from '@/lib/errors/errors';
import { decodeBase32, decodeBase64, encodeBase32, encodeBase64 } from '../encoding/base64';
import { encodeJson, parseGoJson } from '../encoding/json';
import { GoError } from '../template-error';
import type { Value } from '../value/value';
import { encodeYaml } from '../yaml/encode';
import { fn, type GoFunctionTable } from './define';

/** Sprig's base64, base32 and JSON functions, and KUDO's toYaml. */
export const encodingFunctions: GoFunctionTable = {
  b64enc: fn(['string'], (_, text) => encodeBase64(text)),
  b64dec: fn(['string'], (_, text) => orMessage(() => decodeBase64(text))),
  b32enc: fn(['string'], (_, text) => encodeBase32(text)),
  b32dec: fn(['string'], (_, text) => orMessage(() => decodeBase32(text))),
  toYaml: fn(['any'], (context, value) => encodeYaml(value, context.budget)),
  toJson: fn(['any'], (context, value) => orEmpty(() => encodeJson(value, 'escaped', context.budget))),
  toPrettyJson: fn(['any'], (context, value) => orEmpty(() => encodeJson(value, 'pretty', context.budget))),
  toRawJson: fn(['any'], (context, value) => encodeJson(value, 'raw', context.budget)),
  mustToJson: fn(['any'], (context, value) => encodeJson(value, 'escaped', context.budget)),
  mustToPrettyJson: fn(['any'], (context, value) => encodeJson(value, 'pretty', context.budget)),
  mustToRawJson: fn(['any'], (context, value) => encodeJson(value, 'raw', context.budget)),
  fromJson: fn(['string'], (context, text) => orNil(() => parseGoJson(text, context.budget))),
  mustFromJson: fn(['string'], (context, text) => parseGoJson(text, context.budget)),
};

/** Sprig returns the message of an error as the result. */
function orMessage(run: () => string): string {
  try {
    return run();
  } catch (error) {
    if (error instanceof GoError) return messageOf(error);
    throw error;
  }
}

function orEmpty(run: () => string): string {
  try {
    return run();
  } catch (error) {
    if (error instanceof GoError) return '';
    throw error;
  }
}

function orNil(run: () => Value): Value {
  try {
    return run();
  } catch (error) {
    if (error instanceof GoError) return null;
    throw error;
  }
}
