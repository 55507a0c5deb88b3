import { createClient } from '@orrery/client'
import { describe, expect, it } from 'vitest'
import { apiCall } from './api-call.ts'
import { curlText, pathOf, typescriptText } from './request-text.ts'
import { allAssets } from './whole-list.ts'

const ORIGIN = 'http://127.0.0.1:8080'
const KEY = 'ory_secret'
const ACCOUNT = 'GAHSDYDIQTNM32TC45PEFQ5CGK3IOFYMS3ZN7JCZQLUWQC26L6JI6ZY3'

const CALLS = [
  apiCall('service', 'index'),
  apiCall('accounts', 'portfolio', ACCOUNT),
  apiCall('accounts', 'actions', ACCOUNT, { limit: 20, cursor: 'AgAP_-' }),
  apiCall('pools', 'get', 'fxdao:USD'),
  apiCall('pools', 'list', { sort: 'volume', protocol: 'blend' }),
  apiCall('assets', 'prices', ['CA', 'CB']),
]

describe('the text of a request', () => {
  it.each(CALLS.map((call) => [`${call.resource}.${call.method}`, call] as const))(
    'of %s names the path and the query that the client sends with a key, and no key',
    async (_, call) => {
      const sent: Request[] = []
      const client = createClient({
        baseUrl: ORIGIN,
        apiKey: KEY,
        fetch: async (request) => {
          sent.push(request)
          return new Response('{}', { headers: { 'content-type': 'application/json' } })
        },
      })
      await call.send(client)
      const text = await curlText(call, ORIGIN)
      expect(sent.map(({ url }) => url)).toEqual([`${ORIGIN}${await pathOf(call)}`])
      expect(text).toBe(`curl -H 'x-service-api-key: YOUR_API_KEY' '${sent[0]?.url}'`)
      expect(`${text}${typescriptText(call, ORIGIN)}`).not.toContain(KEY)
    },
  )

  it('for the client is the call with its arguments, and with `first` or `take` for a list of pages', () => {
    expect(typescriptText(CALLS[4] as (typeof CALLS)[number], ORIGIN)).toBe(`import { createClient } from '@orrery/client'

const orrery = createClient({ baseUrl: 'http://127.0.0.1:8080', apiKey: 'YOUR_API_KEY' })
const answer = await orrery.pools.list({ sort: 'volume', protocol: 'blend' }).first()`)
    expect(typescriptText(allAssets(), ORIGIN)).toContain('await orrery.assets.list({ limit: 100 }).take(5000)')
    expect(typescriptText(CALLS[5] as (typeof CALLS)[number], ORIGIN)).toContain("await orrery.assets.prices(['CA', 'CB'])")
    expect(typescriptText(CALLS[0] as (typeof CALLS)[number], ORIGIN)).toContain('await orrery.service.index()')
  })

  it('quotes a text as source does', () => {
    expect(typescriptText(apiCall('assets', 'get', "it's \\"), ORIGIN)).toContain("orrery.assets.get('it\\'s \\\\')")
  })
})
