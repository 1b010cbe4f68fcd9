'use client';

import { type QueryClient, useQueries, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { request } from '@/components/live/request';
import { arrayAt, isJsonObject, type JsonObject, objectAt, stringAt } from '@/lib/json/json';
import { parseApiVersion } from '@/lib/kube/object';
import { servesOpenApiV3 } from '@/lib/kube/serves-openapi-v3';
import type { JsonSchema, RawSchema } from '@/lib/schema/json-schema';
import { schemaResolver } from '@/lib/schema/resolve-schema';
import type { SchemaOf } from '@/lib/yaml/lint-yaml';

type KindSchemas = ReadonlyMap<string, JsonSchema>;

/**
 * The cluster's own schemas (OpenAPI v3) of the given apiVersions, read when first asked for. The result changes its
 * identity when a schema arrives.
 */
export function useSchemas(apiVersions: readonly string[]): SchemaOf {
  const key = [...new Set(apiVersions)].sort().join(' ');
  const wanted = useMemo(() => key.split(' ').filter(Boolean), [key]);
  const byApiVersion = useQueries({
    queries: wanted.map(schemasQuery),
    combine: combineResults,
  });
  return useCallback(
    (apiVersion, kind) => byApiVersion[wanted.indexOf(apiVersion)]?.get(`${apiVersion} ${kind}`),
    [byApiVersion, wanted],
  );
}

/** The schema of one kind; undefined while it is read, and when the API server has none. */
export function useKindSchema(
  apiVersion: string,
  kind: string,
): { schema: JsonSchema | undefined; isPending: boolean } {
  const { data, isPending } = useQuery(schemasQuery(apiVersion));
  return { schema: data?.get(`${apiVersion} ${kind}`), isPending };
}

function schemasQuery(apiVersion: string) {
  return {
    queryKey: ['openapi', apiVersion],
    staleTime: 60_000,
    queryFn: ({ client, signal }: { client: QueryClient; signal: AbortSignal }) =>
      readSchemas(client, apiVersion, signal),
  };
}

/** An old server is not asked for what it has not: a browser notes each 404 as an error of the page. */
async function readSchemas(client: QueryClient, apiVersion: string, signal: AbortSignal): Promise<KindSchemas> {
  const version = await client.fetchQuery({
    queryKey: ['version'],
    staleTime: 60_000,
    queryFn: () => request<JsonObject>('/api/kube/version'),
  });
  if (!servesOpenApiV3(version) || !(await isPublished(client, apiVersion))) return new Map();
  return schemasOfDocument(await request<JsonObject>(`/api/kube${openApiPath(apiVersion)}`, { signal }));
}

/** API servers behind Services may publish nothing, which the index says without an error. It is read again before it is believed: a CRD may be new. */
async function isPublished(client: QueryClient, apiVersion: string): Promise<boolean> {
  const path = openApiPath(apiVersion).slice('/openapi/v3/'.length);
  // Groups of Kubernetes itself, such as apps: every server publishes them.
  if (!parseApiVersion(apiVersion).group.includes('.')) return true;
  for (const staleTime of [60_000, 0]) {
    const index = await client
      .fetchQuery({ queryKey: ['openapi'], staleTime, queryFn: () => request<JsonObject>('/api/kube/openapi/v3') })
      .catch(() => undefined);
    if (index === undefined || Object.hasOwn(objectAt(index, 'paths'), path)) return true;
  }
  return false;
}

function combineResults(results: readonly { data: KindSchemas | undefined }[]): readonly (KindSchemas | undefined)[] {
  return results.map(({ data }) => data);
}

/** Where the API keeps the schema of a group version. */
export function openApiPath(apiVersion: string): string {
  const { group, version } = parseApiVersion(apiVersion);
  const parts = group === '' ? ['api', version] : ['apis', group, version];
  return `/openapi/v3/${parts.map(encodeURIComponent).join('/')}`;
}

/** The schemas of a document by `apiVersion kind`, references resolved as they are read. */
export function schemasOfDocument(document: JsonObject): KindSchemas {
  const components = objectAt(document, 'components', 'schemas');
  const resolve = schemaResolver(components as { [name: string]: RawSchema });
  const schemas = new Map<string, JsonSchema>();
  for (const raw of Object.values(components)) {
    if (!isJsonObject(raw)) continue;
    for (const kind of arrayAt(raw, 'x-kubernetes-group-version-kind')) {
      const group = stringAt(kind, 'group') ?? '';
      const version = stringAt(kind, 'version') ?? '';
      schemas.set(`${group === '' ? version : `${group}/${version}`} ${stringAt(kind, 'kind') ?? ''}`, resolve(raw));
    }
  }
  return schemas;
}

/** The apiVersions that a text names, without reading it as YAML: it may be half written. */
export function apiVersionsIn(text: string): string[] {
  return [...text.matchAll(/^apiVersion:\s*["']?([a-z0-9./-]{1,128})["']?\s*$/gim)].map((match) => match[1] ?? '');
}
