// Writes src/generated/openapi.ts: the types of every endpoint and schema, from the OpenAPI document of the API in this repository.
// With --check it writes nothing, and fails if the file has other types.
import { readFileSync, writeFileSync } from 'node:fs'
import { generatedTypes } from './generated-types.mjs'

const file = new URL('../src/generated/openapi.ts', import.meta.url)
const types = await generatedTypes()
if (!process.argv.includes('--check')) writeFileSync(file, types)
else if (readFileSync(file, 'utf8') !== types) {
  console.error('The generated types are not those of the API. Run `npm run generate -w packages/client`.')
  process.exitCode = 1
}
