import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { zstdCompressSync } from 'node:zlib'
import { sc, XdrWriter } from '@orrery/ledger'
import { ledgerBuilder, testContract } from '@orrery/testkit'
import { describe, expect, it } from 'vitest'
import { temporaryFolders } from '../test/folders.ts'
import { manifestOf, lakeOf as oneFileLake } from '../test/lake-of.ts'
import { ledgersOf } from '../test/ledgers.ts'
import { lakeHttp } from './lake-http.ts'
import { lakeSource } from './lake-source.ts'

const MIB = 1024 ** 2
const aFolder = temporaryFolders()
const lakeOf = (ledgersPerBatch: number, packed: Uint8Array): string => oneFileLake(aFolder(), ledgersPerBatch, packed)

describe('the bound of a lake file', () => {
  it('a lake file of 64 ledgers of 1.5 MB is within the bound, packed and unpacked', async () => {
    const { ledger } = ledgerBuilder({ firstLedger: 64 })
    const data = sc.bytes(randomBytes(1_500_000))
    const event = { contract: testContract('large'), topics: [sc.symbol('large')], data }
    const ledgers = Array.from({ length: 64 }, () => ledger({ transactions: [{ operations: [{ events: [event] }] }] }))
    const batch = new XdrWriter().u32(64).u32(127)
    const bytes = batch.array(ledgers, (one) => batch.raw(one)).done()
    expect(bytes.length).toBeGreaterThan(96_000_000)
    const read = await ledgersOf(lakeSource(lakeOf(64, zstdCompressSync(bytes))))
    expect([read.length, read.at(-1)?.sequence]).toEqual([64, 127])
  })
})

describe('a lake file beyond its bound', () => {
  it.each(['that states its length', 'that never ends and states no length'])(
    'a lake file beyond its bound is not read from a server %s',
    async (kind) => {
      const sent = { bytes: 0, isCut: false }
      const server = createServer((request, response) => {
        if (request.url === '/.config.json') {
          response.end(JSON.stringify(manifestOf(1)))
          return
        }
        if (kind === 'that states its length') response.setHeader('content-length', 1024 * MIB)
        if (request.method === 'HEAD') {
          response.end()
          return
        }
        const chunk = Buffer.alloc(MIB)
        const send = () => {
          while (!response.destroyed && response.write(chunk)) sent.bytes += chunk.length
        }
        response.on('drain', send)
        response.on('close', () => {
          sent.isCut = true
        })
        send()
      })
      await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      try {
        const lake = lakeSource(lakeHttp(url, { near: 64 }))
        for await (const { sequence } of lake.read(64, new AbortController().signal)) expect.unreachable(`${sequence}`)
        expect.unreachable('It ends with an error.')
      } catch (error) {
        expect(error).toMatchObject({ code: 'lake_file_too_large', message: expect.stringContaining('32 MiB packed') })
      }
      await expect.poll(() => sent.isCut).toBe(true)
      // Buffers of the sockets add to the bound, for each file that is fetched ahead.
      expect(sent.bytes).toBeLessThan(32 * 64 * MIB)
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  )
})
