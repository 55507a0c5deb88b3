// The whole recording on three shards: ingest, adapters and the API as processes of their own.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type Actor, openEmbedded, openIdentity } from '@orrery/identity'
import { groundTruthRecording } from '@orrery/testkit'
import { orrery, type Ready } from '../orrery.ts'
import { indexOnShards, serveShards, urlOf } from './sharded-index.ts'

type Secrets = Pick<Ready, 'apiKey' | 'adminToken' | 'userPasswordFile'>
type Whole = Secrets & Pick<Ready, 'url' | 'clickhouseUrl'>

const BY: Actor = { kind: 'system', id: 'tests', address: 'local' }

export async function indexWholeOnShards(stack: AsyncDisposableStack, requestsPerMinute: number): Promise<Whole> {
  const { registryFile: registry, lakeDir, batchFiles } = groundTruthRecording()
  const folder = mkdtempSync(join(tmpdir(), 'orrery-whole-shards-'))
  stack.defer(() => rmSync(folder, { recursive: true, force: true }))
  const identityUrl = `sqlite:${join(folder, 'identity.sqlite')}`
  const secrets = await secretsOf(identityUrl, folder, requestsPerMinute)

  const log = `lmdb:${join(folder, 'log')}`
  const env = { ORRERY_NETWORK: registry, ORRERY_LOG: log, ORRERY_INTERNAL_PORT: '0' }
  const ingested = await orrery(['ingest', '--lake', lakeDir], env)
  if (ingested.code !== 0) throw new Error(ingested.stderr)
  const { cluster, indexed } = await indexOnShards(stack, { registry, log })
  await indexed(Number(/-(\d+)\.xdr/.exec(basename(batchFiles().at(-1) ?? ''))?.[1]))
  const url = await serveShards(stack, cluster, { registry, identity: identityUrl, adminToken: secrets.adminToken })
  // Not the preferred shard: each of them answers for all. The tests read tables, which no analyst of a cluster may.
  return { ...secrets, url, clickhouseUrl: urlOf(cluster.address('status', 1)) }
}

/** Of a new organization. */
async function secretsOf(identityUrl: string, folder: string, requestsPerMinute: number): Promise<Secrets> {
  await using identity = await openIdentity(identityUrl)
  const { organization: slug, apiKey, adminToken, userPasswordFile } = await openEmbedded(identity, folder)
  const organization = await identity.organizationBySlug(slug)
  if (organization === null) throw new Error(`${slug} is no organization`)
  await identity.overrideRateLimit(organization.id, requestsPerMinute, BY)
  return { apiKey, adminToken, userPasswordFile }
}
