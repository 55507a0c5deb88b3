// The instructions of a Dockerfile and the patterns of a .dockerignore, as far as ours use them.

import { matchesGlob } from 'node:path'

export interface Instruction {
  /** In upper case. */
  readonly name: string
  /** What follows the name, on one line. */
  readonly text: string
}

/** Comments are left out and continued lines joined. */
export function readDockerfile(text: string): Instruction[] {
  const lines = text
    .split('\n')
    .filter((line) => !/^\s*(#|$)/.test(line))
    .join('\n')
    .replace(/\\\n\s*/g, '')
    .split('\n')
  return lines.map((line) => {
    const [, name = '', rest = ''] = /^(\S+)\s+(.*)$/.exec(line.trim()) ?? []
    return { name: name.toUpperCase(), text: rest }
  })
}

/** Whether a path of the build context reaches the builder. A pattern that matches a folder leaves out all that is in it. */
export function contextFilter(dockerignore: string): (path: string) => boolean {
  const patterns = dockerignore.split('\n').filter((line) => !/^\s*(#|$)/.test(line))
  return (path) => {
    const parts = path.split('/')
    const withFolders = parts.map((_, n) => parts.slice(0, n + 1).join('/'))
    return !withFolders.some((part) => patterns.some((pattern) => matchesGlob(part, pattern)))
  }
}
