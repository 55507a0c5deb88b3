// The client as another program gets it: built, packed, installed in an empty folder, and used on the demo from Node 20, Node 24 and Chromium.

import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { diagnosticsOf, NODE_24, node20, PackedPackages, TYPESCRIPT_VERSIONS } from '@orrery/testkit/packed'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { evaluateInChromium } from '../browser/evaluate-in-chromium.ts'
import type { Whereabouts } from '../global-setup.ts'
import { askData } from '../indexed-network.ts'
import { CONSUMER, WRONG_CONSUMER } from './consumer.ts'
import { startPageServer } from './page-server.ts'

/** `user07` of the recording, which the example in the README asks for. */
const ACCOUNT = 'GAHSDYDIQTNM32TC45PEFQ5CGK3IOFYMS3ZN7JCZQLUWQC26L6JI6ZY3'
const LIMIT_BYTES = 12 * 1024

/** What each platform does with the client: an answer, pages, a refusal, exact sums. */
const USE = `async ({ createClient, isApiError, sumDecimals, toRaw }, options) => {
  const orrery = createClient(options)
  const portfolio = await orrery.accounts.portfolio('${ACCOUNT}')
  const ids = []
  for await (const { id } of orrery.accounts.actions('${ACCOUNT}', { limit: 2 })) if (ids.push(id) === 5) break
  const refusal = await orrery.service.transaction('0'.repeat(64)).catch((error) => ({ isNotFound: isApiError(error, 'not_found'), docs: error.docs.endsWith('/docs/errors/not_found') }))
  const deposited = sumDecimals(portfolio.data.protocols.map((it) => it.deposited_usd))
  return { total: portfolio.data.total_value_usd, ids, refusal, deposited, raw: String(toRaw('1.5', 7)), remaining: orrery.rateLimit.remaining > 0 }
}`
const RUN = `const { env } = process
const options = { baseUrl: env.ORRERY_URL, apiKey: env.ORRERY_KEY }
;(${USE})(client, options).then((result) => console.log(JSON.stringify(result)))`
const ESM = `import * as client from '@orrery/client'\n${RUN}`
const CJS = `const client = require('@orrery/client')\n${RUN}`

const packed = new PackedPackages()
let tarball: string
let at: Whereabouts
let env: Readonly<Record<string, string>>
let expected: unknown
beforeAll(async () => {
  tarball = await packed.install('client')
  at = (await (await fetch(inject('wholeNetworkUrl'))).json()) as Whereabouts
  env = { ORRERY_URL: at.url, ORRERY_KEY: at.apiKey }
  const { data } = await askData(at, `/v1/users/${ACCOUNT}/positions`)
  const { data: feed } = await askData(at, `/v1/users/${ACCOUNT}/actions?limit=5`)
  expected = {
    total: data.total_value_usd,
    ids: feed.actions.map(({ id }: { readonly id: string }) => id),
    refusal: { isNotFound: true, docs: true },
    deposited: sumOf(data.protocols.map((protocol: { readonly deposited_usd: string }) => protocol.deposited_usd)),
    raw: '15000000',
    remaining: true,
  }
})
/** USD values have at most 8 fractional digits. */
function sumOf(values: readonly string[]): string {
  const units = values.map((value) => {
    const [whole = '', fraction = ''] = value.split('.')
    return BigInt(whole + fraction.padEnd(8, '0'))
  })
  const digits = String(units.reduce((sum, one) => sum + one, 0n)).padStart(9, '0')
  return `${digits.slice(0, -8)}.${digits.slice(-8)}`.replace(/\.?0+$/, '')
}
afterAll(() => packed[Symbol.dispose]())

const built = (name: string): Buffer => readFileSync(`${packed.folder}/node_modules/@orrery/client/${name}`)

describe('the packed tarball of @orrery/client', () => {
  it.each(['index.js', 'index.cjs'])('%s is smaller than 12 KB compressed and imports nothing', (name) => {
    const text = built(name).toString()
    expect(gzipSync(text).length).toBeLessThan(LIMIT_BYTES)
    expect(text).not.toMatch(/\bfrom\s*["']|\bimport\s*\(|\brequire\s*\(|\bnode:|\bBuffer\b/)
  })

  it.each([
    ['an ES module', 'use.mjs', ESM],
    ['CommonJS', 'use.cjs', CJS],
  ])('works as %s in Node 20 and in Node 24', async (_, name, text) => {
    const file = packed.write(name, text)
    for (const node of [await node20(), NODE_24]) expect(JSON.parse(await packed.run(node, file, env))).toEqual(expected)
  })

  it('works in Chromium, on a page whose origin has a proxy that adds the key', async () => {
    await using pages = await startPageServer({ api: at, modules: { '/client.js': built('index.js') } })
    const script = `import('/client.js').then((client) => (${USE})(client, { baseUrl: '' }))`
    expect(await evaluateInChromium(pages.url, script)).toEqual(expected)
  })

  it('the example in its README, literally, in an empty folder, prints a portfolio', async () => {
    using newcomer = new PackedPackages()
    const startedMs = performance.now()
    await newcomer.installTarball(tarball)
    const example = /```js\n([\s\S]*?)```/.exec(readFileSync(`${newcomer.folder}/node_modules/@orrery/client/README.md`, 'utf8'))?.[1] ?? ''
    const printed = await newcomer.run(NODE_24, newcomer.write('portfolio.mjs', example), env)
    process.stdout.write(
      `${printed}The newcomer's path took ${((performance.now() - startedMs) / 1000).toFixed(1)} s, without the build of the tarball.\n`,
    )
    expect(example.trim().split('\n').length).toBeLessThanOrEqual(10)
    expect(printed).toMatch(/^\d+\.\d+ USD as of ledger \d+\n/)
    expect(printed.split('\n')[0]).toContain((expected as { readonly total: string }).total)
    for (const protocol of ['aquarius', 'blend', 'fxdao', 'soroswap'])
      expect(printed).toMatch(new RegExp(`^${protocol}: [\\d.]+ USD deposited`, 'm'))
  })

  it.each(TYPESCRIPT_VERSIONS)('has declarations that TypeScript %i accepts, as ES modules, CommonJS and for bundlers', async (version) => {
    for (const name of ['consumer.mts', 'consumer.cts', 'consumer.ts']) packed.write(name, CONSUMER)
    expect(await diagnosticsOf(version, packed.folder, ['consumer.mts', 'consumer.cts'])).toEqual([])
    expect(await diagnosticsOf(version, packed.folder, ['consumer.ts'], { module: 'esnext', moduleResolution: 'bundler' })).toEqual([])
  })

  it.each(TYPESCRIPT_VERSIONS)('has declarations with which TypeScript %i refuses wrong uses', async (version) => {
    packed.write('wrong.mts', WRONG_CONSUMER)
    const lines = WRONG_CONSUMER.split('\n').flatMap(
      (line, n) =>
        /\/\/ (TS\d+)$/
          .exec(line)
          ?.slice(1)
          .map((code) => `wrong.mts(${n + 1}): ${code}`) ?? [],
    )
    expect(lines).toHaveLength(7)
    expect(await diagnosticsOf(version, packed.folder, ['wrong.mts'])).toEqual(lines)
  })
})
