import { isJsonObject, type JsonObject } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { badRequest } from '../errors/status';
import type { WriteContext } from '../registry/context';
import { checkKind, decodeObject } from '../registry/decode-object';
import type { ResourceInfo } from '../registry/resource-info';
import type { Exchange } from './exchange';
import { parseObjectBody } from './parse-object';

/** The body of a create or update: parsed, of the right kind, decoded and defaulted. */
export async function readObject(exchange: Exchange, info: ResourceInfo, context: WriteContext): Promise<KubeObject> {
  const { value, duplicates } = await parseObjectBody(exchange.request, info.kind);
  checkKind(info, value);
  return decodeObject(info, asObject(info, value), context, duplicates);
}

/** A JSON object with a metadata object; 400 when metadata is something else. */
function asObject(info: ResourceInfo, value: JsonObject): KubeObject {
  value.metadata ??= {};
  if (!isJsonObject(value.metadata)) {
    throw badRequest(
      `${info.kind} in version "${info.version}" cannot be handled as a ${info.kind}: json: cannot unmarshal string into Go struct field ObjectMeta.metadata of type v1.ObjectMeta`,
    );
  }
  return value as unknown as KubeObject;
}
