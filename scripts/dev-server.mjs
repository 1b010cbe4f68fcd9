// The child of npm run dev. A file of its own: Next's helpers inherit the flags of their parent, and with `node -e …` each of
// them would start the server again.
const { main } = await import(`${process.argv[2]}/main.mjs`);
await main({ dev: true });
