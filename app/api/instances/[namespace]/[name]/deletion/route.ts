import { json, route } from '@/server/http/route';
import { previewDeletion } from '@/server/instances/deletion-preview';
import { runtime } from '@/server/runtime/runtime';

/** What deleting the Instance does. */
export const GET = route<{ namespace: string; name: string }>(async ({ session, params, signal }) =>
  json(await previewDeletion(session.api, params, runtime().clock, signal)),
);
