// Walks the list of protocols: what a new one still lacks fails here by its name. What the compiler finds by itself is not repeated: a protocol
// without a number, a deployment, a view or its words does not compile, nor does a kind of view without its reader and endpoints.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { protocolNumber } from '@orrery/protocol-kit'
import { loadNetwork, PROTOCOLS } from '@orrery/protocols'
import { describe, expect, it } from 'vitest'
import { routesOf } from './apps/api/src/routes/index.ts'
import { ingestEnv, partitionsOf, partitionVariable } from './apps/ingest/src/env.ts'

const read = (path: string): string => readFileSync(join(import.meta.dirname, path), 'utf8')
const ids = PROTOCOLS.map(({ id }) => id)

describe('the list of protocols', () => {
  it('has each id and each number once', () => {
    expect(new Set(ids).size).toBe(ids.length)
    expect(new Set(PROTOCOLS.map(({ number }) => number)).size).toBe(ids.length)
  })

  it('gives every deployed network what it names', async () => {
    const networks = await Promise.all(['demo', 'mainnet', 'testnet'].map(loadNetwork))
    expect(networks.map(({ protocols }) => protocols)).toEqual(networks.map(() => PROTOCOLS))
  })
})

describe.each(PROTOCOLS)('the protocol $id', ({ id, number, displayName, deployment, defaultPartitions, maxPartitions, routing, view }) => {
  it('has an id that topics, paths and variables can contain', () => expect(id).toMatch(/^[a-z][a-z0-9]{1,30}$/))

  it('has declared its number, which docs/slices.md lists', () => {
    expect(protocolNumber(id)).toBe(number)
    expect(read('docs/slices.md')).toMatch(new RegExp(`\\| protocol \\| .*\\b${number} ${displayName}\\b`))
  })

  it('routes under its own id', () => expect(routing.protocol).toBe(id))

  it('is a package with the name of its id', () => expect(existsSync(join(import.meta.dirname, 'packages', id, 'package.json'))).toBe(true))

  it('tells its deployments apart by one of their members', () => expect(Object.keys(deployment.shape)).toContain(deployment.identity))

  it('is deployed in a network that ships', async () => {
    const networks = await Promise.all(['demo', 'mainnet', 'testnet'].map(loadNetwork))
    expect(networks.some(({ deployments }) => (deployments[id] ?? []).length > 0)).toBe(true)
  })

  it('has its page, docs/protocols/<id>.md, and the README links to it', () => {
    expect(existsSync(join(import.meta.dirname, 'docs', 'protocols', `${id}.md`))).toBe(true)
    expect(read('README.md')).toContain(`[${displayName}](docs/protocols/${id}.md)`)
  })

  it('has its adapter in docker-compose.yml', () => {
    expect(read('docker-compose.yml')).toMatch(
      new RegExp(`^ {2}adapter-${id}:\\n {4}<<: \\*adapter\\n {4}command: \\['adapter', '${id}'\\]$`, 'm'),
    )
  })

  it('takes its number of partitions from a variable of ingest', () => {
    expect(defaultPartitions).toBeLessThanOrEqual(maxPartitions)
    const name = partitionVariable(id)
    const env = ingestEnv({ ORRERY_NETWORK: 'demo', ORRERY_LOG: 'lmdb:log', [name]: String(defaultPartitions) })
    expect(partitionsOf(env)).toEqual({ [id]: defaultPartitions })
    expect(() => ingestEnv({ ORRERY_NETWORK: 'demo', ORRERY_LOG: 'lmdb:log', [name]: String(maxPartitions + 1) })).toThrow(name)
  })

  it('has endpoints for positions and their history', () => {
    const paths = routesOf(PROTOCOLS).map(({ path }) => path)
    const own = paths.filter((path) => path.startsWith(`/v1/users/:address/positions/${id}`))
    expect(own.some((path) => path.endsWith('/history'))).toBe(true)
    expect(own.some((path) => !path.endsWith('/history'))).toBe(true)
    expect(view.positionTypes).not.toEqual([])
  })
})
