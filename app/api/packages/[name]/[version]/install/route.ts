import { installFromCatalogue } from '@/server/catalogue/install';
import { parseInstallWish } from '@/server/catalogue/install-wish';
import { json, route } from '@/server/http/route';

/** `{namespace, instance, parameters}`: creates namespace, Operator, OperatorVersion and Instance, each where it is missing. */
export const POST = route<{ name: string; version: string }>(async ({ params, body, session, signal }) =>
  json(await installFromCatalogue(params, parseInstallWish(body), session.api, signal), 201),
);
