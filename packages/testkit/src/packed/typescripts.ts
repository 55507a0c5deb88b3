// The versions of TypeScript that the declarations of packages are tested with.

import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const compilerIn = (folder: string): string =>
  fileURLToPath(new URL(`../../../../${folder}node_modules/typescript/bin/tsc`, import.meta.url))

/** Compilers by their major version. The generator of the client's types brings TypeScript 5. */
const COMPILERS = { 5: compilerIn('packages/client/'), 7: compilerIn('') } as const

type TypescriptVersion = keyof typeof COMPILERS
export const TYPESCRIPT_VERSIONS: readonly TypescriptVersion[] = [5, 7]

/** As strict as can be, and without the types of Node. Declarations of packages are checked too. */
const OPTIONS = {
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.asynciterable'],
  module: 'nodenext',
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  noEmit: true,
}

/** What a compiler finds wrong in files of a folder: `consumer.ts(3): TS2345`. Empty when nothing is. */
export async function diagnosticsOf(
  version: TypescriptVersion,
  folder: string,
  files: readonly string[],
  options: Readonly<Record<string, unknown>> = {},
): Promise<string[]> {
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: { ...OPTIONS, ...options }, files }))
  const run = promisify(execFile)(process.execPath, [COMPILERS[version], '--pretty', 'false', '-p', folder], { cwd: folder })
  const { stdout } = await run.catch((error: { readonly stdout?: string }) => {
    if (error.stdout) return { stdout: error.stdout }
    throw error
  })
  return stdout
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith(' '))
    .map((line) => line.replace(/^(.+)\((\d+),\d+\): error (TS\d+): .*$/, '$1($2): $3'))
}
