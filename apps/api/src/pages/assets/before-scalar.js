// Zod, which Scalar contains, tries whether it may evaluate code. The policy of the page forbids it, and a browser reports each try.
globalThis.__zod_globalConfig = { jitless: true }
