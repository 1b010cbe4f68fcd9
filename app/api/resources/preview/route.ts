import { isJsonObject, stringAt } from '@/lib/json/json';
import { isKubeObject, parseApiVersion } from '@/lib/kube/object';
import { Refusal } from '@/server/http/problem';
import { json, route } from '@/server/http/route';
import { previewResource } from '@/server/own-kinds/preview-resource';
import { runtime } from '@/server/runtime/runtime';

/** `{resource, namespace, object}`: what the creation of an object of an own kind would do. Changes nothing. */
export const POST = route(async ({ body, session }) => {
  const [resource, namespace] = [stringAt(body, 'resource'), stringAt(body, 'namespace')];
  const object = isJsonObject(body) ? body.object : undefined;
  if (!isKubeObject(object) || resource === undefined || namespace === undefined) {
    throw new Refusal(400, 'BadRequest', 'The body needs resource, namespace and object.');
  }
  const { group, version } = parseApiVersion(object.apiVersion);
  const { clock } = runtime();
  return json(await previewResource({ api: session.api, clock }, { group, version, resource, namespace }, object));
});
