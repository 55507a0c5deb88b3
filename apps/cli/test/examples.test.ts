// The examples of the OpenAPI document are what the demo answers. `npm run examples` writes them anew.

import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { EXAMPLES, type Example, exampleFolder } from '@orrery/api'
import { isShippedRecording } from '@orrery/testkit'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { ExampleClient, operationsOf } from './examples/ask-example.ts'
import { asShown } from './examples/volatile.ts'
import type { Whereabouts } from './global-setup.ts'
import { fetchText } from './truth/whole-network.ts'

const files = readdirSync(exampleFolder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.json'))

describe.runIf(isShippedRecording)('the examples of the document, by the shipped recording', () => {
  /** By operation id. */
  const answers = new Map<string, unknown>()

  beforeAll(async () => {
    const at: Whereabouts = JSON.parse(await fetchText(inject('wholeNetworkUrl')))
    const client = new ExampleClient(at)
    for (const operation of await operationsOf(at.url)) {
      const example = EXAMPLES.get(operation.operationId)
      if (example !== undefined) answers.set(operation.operationId, await client.ask(operation, example))
    }
  }, 900_000)

  it.each(files)('the demo answers the request of %s as the file shows, but for the volatile members', async (path) => {
    const operation = basename(path, '.json')
    const { request } = JSON.parse(readFileSync(join(exampleFolder, path), 'utf8')) as Example
    const response = asShown(operation, answers.get(operation))
    await expect(`${JSON.stringify({ request, response }, null, 2)}\n`).toMatchFileSnapshot(join(exampleFolder, path))
  })
})
