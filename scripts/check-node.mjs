/** Ends the process with one sentence if this Node is too old. Imports nothing: each start of the command line calls it. */
export function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  process.stderr.write(`Bravo needs Node 20.19 or newer; this is ${process.versions.node}.\n`);
  process.exit(1);
}
