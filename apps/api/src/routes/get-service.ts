import { buildInfo } from '@orrery/service-kit'
import { z } from 'zod'
import { API_VERSION } from '../api-version.ts'
import { NO_ENRICHMENT } from '../envelope.ts'
import { defineRoute } from '../route.ts'

const path = (what: string): z.ZodString => z.string().describe(`${what} A path on this host; it needs no key.`)

const Data = z
  .strictObject({
    name: z.literal('Orrery').describe('Name of the program.'),
    version: z.string().describe('Version of the program, as in its changelog.'),
    api_version: z.string().describe('Version of the API contract, as in the OpenAPI document. It changes when `/v1` gets additions.'),
    build: z
      .strictObject({
        commit: z.string().nullable().describe('Commit that the program was built from. Null if the build does not record it.'),
        node: z.string().describe('Version of Node that runs the program.'),
      })
      .describe('The build of the program.'),
    network: z
      .strictObject({
        name: z.string().describe('Name of the network in the registry of this deployment.'),
        passphrase: z.string().describe('Passphrase of the Stellar network.'),
      })
      .describe('The network whose ledgers are indexed.'),
    protocols: z.array(z.string()).describe('Ids of the protocols that this network has.'),
    documents: z
      .strictObject({
        openapi: path('The OpenAPI document of this build.'),
        reference: path('The reference of the API for people.'),
        errors: path('The page of an error code, which replaces `{code}`.'),
      })
      .describe('Where the API is described.'),
  })
  .meta({ id: 'Service' })

/** What answers here: for clients that find out which API, network and version a base URL has. It reads nothing of the index. */
export const getService = defineRoute({
  operationId: 'getService',
  method: 'get',
  path: '/v1',
  summary: 'Version, build, network and documents of the service',
  description:
    'It needs no key and reads nothing of the index, so `meta` names no ledger and no age of the data. `/v1/health` has the state of the service.',
  tagName: 'Health',
  params: z.strictObject({}),
  query: z.strictObject({}),
  data: Data,
  stability: 'experimental',
  credential: 'none',
  cache: 'no-store',
  answersWithoutIndex: true,
  async handle(_, { network, protocols }) {
    const { version, commit, node } = buildInfo()
    const data = {
      name: 'Orrery' as const,
      version,
      api_version: API_VERSION,
      build: { commit: commit === '' ? null : commit, node },
      network: { name: network.name, passphrase: network.passphrase },
      protocols: protocols.map(({ id }) => id),
      documents: { openapi: '/openapi.json', reference: '/docs', errors: '/docs/errors/{code}' },
    }
    const facts = { watermark: null, oracleStalenessSeconds: 0, attributionConfidence: 1, sources: [], warnings: [] }
    return { data, enrichment: NO_ENRICHMENT, facts, tag: [] }
  },
})
