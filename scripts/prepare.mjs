// Runs after `npm install` and `npm ci`: builds the explorer, in about a second. Where the packages for development are left out, and in the first
// stage of an image, which has manifests only, there is nothing to build with or from. Then, and if the build fails, the installation goes on:
// everything but the explorer works, and /explore names the command that builds it.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../apps/explorer')
const command = 'npm run build -w @orrery/explorer'

function hasVite() {
  try {
    createRequire(join(folder, 'package.json')).resolve('vite')
    return true
  } catch {
    return false
  }
}

if (!existsSync(join(folder, 'index.html')) || !hasVite()) {
  console.log(`The explorer was not built: its source or vite is not installed. Later: ${command}`)
} else if (spawnSync('npm', ['run', '--silent', 'build', '--', '--logLevel', 'warn'], { cwd: folder, stdio: 'inherit' }).status !== 0) {
  console.error(`The explorer was not built: the messages above have the reason. Everything else is installed. Later: ${command}`)
}
