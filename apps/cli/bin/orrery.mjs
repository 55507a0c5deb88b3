#!/usr/bin/env node
// Plain JavaScript that any Node can read: it prints one sentence about a missing requirement, else starts the TypeScript source.

const [major = 0] = process.versions.node.split('.').map(Number)

/** What the embedded engine is built for. `null` when it runs here. */
function unsupported() {
  if (major < 24) {
    return `Orrery needs Node 24 or newer and this is Node ${process.versions.node}: run it with \`npm run orrery\` (or \`npm start\`), which uses the Node that \`npm install\` brought.`
  }
  const supported = ['linux x64', 'linux arm64', 'darwin x64', 'darwin arm64']
  const here = `${process.platform} ${process.arch}`
  if (!supported.includes(here)) {
    return `Orrery runs on Linux (x64 and arm64, glibc) and macOS, because its ClickHouse engine does, and this is ${here}: use one of those, or a container (\`docker compose up\`).`
  }
  if (process.platform === 'linux') {
    process.report.excludeNetwork = true // else it looks up the name of every open socket
    if (process.report.getReport().header.glibcVersionRuntime === undefined) {
      return 'Orrery needs a Linux with glibc, because its ClickHouse engine does, and this one has another C library (Alpine has musl): use Debian, Ubuntu or Fedora, or a container of one of them (`docker compose up`).'
    }
  }
  return null
}

const problem = unsupported()
if (problem === null) {
  const { main } = await import('../src/main.ts')
  await main(process.argv.slice(2))
} else {
  process.stderr.write(`orrery: ${problem}\n`)
  process.exitCode = 1
}
