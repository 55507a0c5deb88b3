import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect, it } from 'vitest'
import { wholeDocument } from './testing/all-routes.ts'

const config = await createConfig({ extends: ['recommended'] })

async function problemsOf(document: unknown): Promise<string[]> {
  const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: '/openapi.json', config })
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)
}

it('the linter finds no error and nothing to warn of in the document', async () => {
  const document = wholeDocument()
  expect(await problemsOf(document)).toEqual([])
  const { license: _, ...info } = document.info
  expect(await problemsOf({ ...document, info })).toEqual([expect.stringContaining('info-license')])
})
