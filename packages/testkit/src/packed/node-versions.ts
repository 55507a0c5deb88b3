// The versions of Node that packages are tested with.

import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { testCacheFolder } from '../env.ts'

/** The Node that runs the tests. */
export const NODE_24 = process.execPath

const VERSION = '20.20.2'
const run = promisify(execFile)

/** Node 20 from the npm registry, kept in the cache folder of tests. Returns the path of its executable. */
export async function node20(): Promise<string> {
  const home = join(testCacheFolder, `node-${VERSION}`)
  // What the package `node` installs, without its install script.
  const name = `node-${process.platform}-${process.arch}`
  const executable = join(home, 'node_modules', name, 'bin', 'node')
  if (existsSync(executable)) return executable
  mkdirSync(testCacheFolder, { recursive: true })
  // Made beside its place and then moved, so that an interrupted download does not look finished.
  const unfinished = mkdtempSync(`${home}.`)
  try {
    const options = ['--prefix', unfinished, '--ignore-scripts', '--no-audit', '--no-fund']
    await run('npm', ['install', `${name}@${VERSION}`, ...options], { cwd: unfinished })
    if (!existsSync(home)) renameSync(unfinished, home)
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
  return executable
}
