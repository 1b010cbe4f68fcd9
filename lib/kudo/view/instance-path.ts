/** The address of an instance's page, or of one of its tabs. */
export function instancePath(namespace: string, name: string, tab = ''): string {
  const base = `/instances/${encodeURIComponent(namespace)}/${encodeURIComponent(name)}`;
  return tab === '' ? base : `${base}/${tab}`;
}

/** The address of an instance's own routes; `rest` is e.g. `parameters` or `plans/backup`. */
export function instanceApiPath(namespace: string, name: string, rest = ''): string {
  return `/api${instancePath(namespace, name, rest)}`;
}
