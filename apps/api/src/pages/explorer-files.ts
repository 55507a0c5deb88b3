// The files of the explorer as `apps/explorer` builds them, and the page that stands in for them where they were not built.

import { readFile } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { staticPage } from './page.ts'

/** Where the build of this installation is, or would be. */
export const BUILT_EXPLORER = join(dirname(fileURLToPath(import.meta.resolve('@orrery/explorer/package.json'))), 'dist')

const TYPES: Readonly<Record<string, string>> = { '.js': 'js', '.css': 'css' }

export interface ExplorerAsset {
  /** Content type. */
  readonly type: string
  readonly bytes: Buffer
}

/** The page of every address of the explorer. Null if the explorer was not built. */
export function readExplorerPage(folder: string): Promise<string | null> {
  return readFile(join(folder, 'index.html'), 'utf8').catch(nullIfAbsent)
}

/** A file with a hash of its content in its name. Null if there is none. */
export async function readExplorerAsset(folder: string, name: string): Promise<ExplorerAsset | null> {
  const type = TYPES[extname(name)]
  // A name of one part that the build gives: no path leads out of the folder.
  if (type === undefined || !/^[\w-][\w.-]*$/.test(name)) return null
  const bytes = await readFile(join(folder, 'static', name)).catch(nullIfAbsent)
  return bytes === null ? null : { type, bytes }
}

export const MISSING_EXPLORER = staticPage(
  '/explore',
  'Explorer',
  () => `<h1>The explorer is not built</h1>
<p>The API works; only these pages are missing. In the folder of Orrery, this command builds them, with the packages for development installed:</p>
<pre><code>npm run build -w @orrery/explorer</code></pre>
<p>No process need be started again. <code>npm install</code> and <code>npm ci</code> build the explorer too, unless they leave out the packages for development.</p>`,
)

function nullIfAbsent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
