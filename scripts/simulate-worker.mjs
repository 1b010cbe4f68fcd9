// A process of simulate-many.mjs: loads the bundled simulator and lets it take blocks of seeds from its parent.
const [bundle, ...args] = process.argv.slice(2);
const { main } = await import(bundle);
process.exit(await main(args));
