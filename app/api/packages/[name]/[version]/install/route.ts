import { installFromCatalogue } from '@/server/catalogue/install';
import { parseInstallTarget } from '@/server/catalogue/install-target';
import { json, route } from '@/server/http/route';

/** `{namespace, instance, parameters}`: creates namespace, Operator, OperatorVersion and Instance, each where it is missing. */
export const POST = route<{ name: string; version: string }>(async ({ params, body, session, signal }) =>
  json(await installFromCatalogue(params, parseInstallTarget(body), session.api, signal), 201),
);
