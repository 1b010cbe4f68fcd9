/** Keys and indexes from the root of an object to a field. */
export type FormPath = readonly (string | number)[];

/** A path as Kubernetes writes it in the causes of an answer: `spec.containers[0].image`. */
export function fieldPathText(path: FormPath): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? part : `${text}.${part}`;
  }, '');
}

/** The path of a cause in the spelling of {@link fieldPathText}: rules name keys of maps in brackets (`data[key]`). */
export function plainFieldText(field: string): string {
  return field.replace(/\[(?!\d+\])["']?([^\]"']*)["']?\]/g, '.$1').replace(/^\./, '');
}
