// Writes docs/openapi/released.json: the document that later builds are compared with.

import { writeFileSync } from 'node:fs'
import { documentOfBuild } from '../src/document.ts'
import { contractOf, RELEASED_CONTRACT } from '../src/testing/released-contract.ts'

writeFileSync(RELEASED_CONTRACT, `${JSON.stringify(contractOf(documentOfBuild()), null, 1)}\n`)
