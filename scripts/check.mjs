// npm run check: types, lint and unit tests, in about a minute.
process.argv.push('--quick');
await import('./test.mjs');
