import type { HealthCheck } from './types';

const PLAIN = ['container', 'port', 'path', 'scheme', 'message', 'enabled'] as const;

/** The check with each text that may be a template replaced. `place` is its path within the check: `command[2]`, `pods.app`. */
export function mapCheckTexts(check: HealthCheck, change: (place: string, text: string) => string): HealthCheck {
  const { pods, command } = check;
  const plain = PLAIN.flatMap((key) => {
    const text = check[key];
    return text === undefined ? [] : [[key, change(key, text)] as const];
  });
  return {
    ...check,
    ...Object.fromEntries(plain),
    ...(pods === undefined ? {} : { pods: mapValues(pods, (label, text) => change(`pods.${label}`, text)) }),
    ...(command === undefined ? {} : { command: command.map((text, index) => change(`command[${index}]`, text)) }),
  };
}

/** The texts of a check that are templates, by their place. */
export function checkTemplates(check: HealthCheck): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  mapCheckTexts(check, (place, text) => {
    if (text.includes('{{')) found.set(place, text);
    return text;
  });
  return found;
}

function mapValues(
  values: { readonly [key: string]: string },
  change: (key: string, text: string) => string,
): { [key: string]: string } {
  return Object.fromEntries(Object.entries(values).map(([key, text]) => [key, change(key, text)]));
}
