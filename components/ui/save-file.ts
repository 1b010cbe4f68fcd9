/** Gives bytes or a text to the browser as a file to download. */
export function saveFile(content: Uint8Array<ArrayBuffer> | string, name: string, type = 'application/gzip'): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
