import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const SCRIPT = fileURLToPath(new URL('../scripts/generate.mjs', import.meta.url))

it('the generated types are those of the OpenAPI document of this build', async () => {
  await expect(promisify(execFile)(process.execPath, [SCRIPT, '--check'])).resolves.toMatchObject({ stderr: '' })
})
