import { installFromCatalogue } from '@/server/catalogue/install';
import { parseInstallWish } from '@/server/catalogue/install-wish';
import { withExecution } from '@/server/http/execution-header';
import { json, route } from '@/server/http/route';

/** `{namespace, instance, parameters}`: creates namespace, Operator, OperatorVersion and Instance, each where it is missing. */
export const POST = route<{ name: string; version: string }>(async ({ params, body, session, signal }) => {
  const installed = await installFromCatalogue(params, parseInstallWish(body), session.api, signal);
  return withExecution(json(installed, 201), installed);
});
