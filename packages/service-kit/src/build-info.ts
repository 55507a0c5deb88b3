// Which build a process is: the labels of `orrery_build_info`.

import { readFileSync } from 'node:fs'
import { commitOfBuild } from './env.ts'

export interface BuildInfo {
  readonly version: string
  /** Empty when the build does not record it. */
  readonly commit: string
  readonly node: string
}

export function buildInfo(): BuildInfo {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  return { version, commit: commitOfBuild(), node: process.versions.node }
}
