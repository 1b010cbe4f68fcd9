import { arrayAt, isJsonObject, type JsonObject, stringAt } from '@/lib/json/json';
import { limits } from '@/lib/limits/limits';

/** A debug container that a person asks for. */
export interface DebugContainer {
  readonly name: string;
  readonly image: string;
  /** The container whose processes it sees; empty for none. */
  readonly target: string;
  /** Empty: the command of the image. */
  readonly command: readonly string[];
}

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const IMAGE = /^[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,499}$/;

/** A name that no container of the pod has. */
export function debugContainerName(taken: readonly string[]): string {
  for (let number = 1; ; number++) {
    const name = `debug-${number}`;
    if (!taken.includes(name)) return name;
  }
}

/** Reads what a page sends; a string says what is wrong. */
export function readDebugContainer(body: unknown): DebugContainer | string {
  const text = (field: string) => (isJsonObject(body) ? (stringAt(body, field) ?? '') : '').trim();
  const command = arrayAt(body, 'command');
  const { commandWords, commandChars } = limits.terminal;
  if (!LABEL.test(text('name'))) return 'name: a container needs a name of small letters, digits and hyphens.';
  if (!IMAGE.test(text('image'))) return 'image: this is not the name of an image.';
  if (text('target') !== '' && !LABEL.test(text('target'))) return 'target: this is not the name of a container.';
  const words = command.filter((word): word is string => typeof word === 'string');
  if (words.length !== command.length) return 'command: give a list of words.';
  if (words.length > commandWords || words.join(' ').length > commandChars) return 'command: it is too long.';
  return { name: text('name'), image: text('image'), target: text('target'), command: words };
}

/** The strategic merge patch of `pods/ephemeralcontainers` that adds it, as `kubectl debug -it` does. */
export function debugContainerPatch({ name, image, target, command }: DebugContainer): JsonObject {
  const container: JsonObject = {
    name,
    image,
    stdin: true,
    tty: true,
    ...(target === '' ? {} : { targetContainerName: target }),
    ...(command.length === 0 ? {} : { command: [...command] }),
  };
  return { spec: { ephemeralContainers: [container] } };
}
