/** A person of the benchmark: half of them read the whole cluster, half five of its ten namespaces. */
export interface Person {
  readonly name: string;
  readonly isWide: boolean;
  readonly namespaces: readonly string[];
}

export const WIDE_GROUP = 'bench-wide';
export const NAMESPACES: readonly string[] = Array.from({ length: 10 }, (_, at) => `team-${at}`);
const PERSONS = 50;

export const PEOPLE: readonly Person[] = Array.from({ length: PERSONS }, (_, at) => {
  const isWide = at % 2 === 0;
  const first = Math.floor(at / 2);
  const own = Array.from({ length: 5 }, (_unused, step) => NAMESPACES[(first + step) % NAMESPACES.length] ?? '');
  return { name: `person-${at}`, isWide, namespaces: isWide ? NAMESPACES : own };
});

/** What the authenticating proxy in front of the console says of the person. */
export function headersOf({ name, isWide }: Person, secret: string): { readonly [name: string]: string } {
  return {
    'x-remote-user': name,
    'x-remote-group': isWide ? WIDE_GROUP : 'bench-narrow',
    'x-bravo-proxy-secret': secret,
  };
}
