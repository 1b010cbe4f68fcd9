// npm run check: what can be said in under a minute: types, lint, unit tests.
process.argv.push('--quick');
await import('./test.mjs');
