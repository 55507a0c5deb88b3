// `x-codeSamples` of an operation: its example as a command, as a call of @orrery/client and in Python. /docs shows them.

import { type Example, exampleTarget } from '../examples/example.ts'
import type { JsonSchema } from '../json-schema.ts'
import type { Route } from '../route.ts'
import { CLIENT_CALLS, type ClientCall } from './client-calls.ts'

export interface CodeSample {
  /** As in Scalar and Redoc, which colour it by this name. */
  readonly lang: 'Shell' | 'TypeScript' | 'Python'
  readonly label: string
  readonly source: string
}

/** What of an operation its samples show. */
export interface SampledOperation {
  readonly operationId: string
  readonly method: string
  /** With `{name}` for parameters. */
  readonly path: string
  readonly credential: Route['credential'] | 'bearer' | 'admin-token'
  /** Schemas of the query, to tell numbers from texts. */
  readonly query: Readonly<Record<string, JsonSchema>>
}

/** Where `npm start` serves the demo, from which the examples are. /docs shows its own origin instead. */
const DEMO_ORIGIN = 'http://localhost:8080'

interface CredentialText {
  readonly header: string
  /** Before the value of the header. */
  readonly scheme: string
  readonly variable: string
  /** Option of the client. */
  readonly option: string
}

const CREDENTIALS: Readonly<Record<SampledOperation['credential'], CredentialText | null>> = {
  'api-key': { header: 'x-service-api-key', scheme: '', variable: 'ORRERY_KEY', option: 'apiKey' },
  bearer: { header: 'authorization', scheme: 'Bearer ', variable: 'ORRERY_ACCESS_TOKEN', option: 'accessToken' },
  'admin-token': { header: 'x-service-admin-token', scheme: '', variable: 'ORRERY_ADMIN_TOKEN', option: 'adminToken' },
  none: null,
}

export function codeSamples(operation: SampledOperation, { request }: Example): CodeSample[] {
  const call = CLIENT_CALLS[operation.operationId]
  return [
    { lang: 'Shell', label: 'curl', source: curl(operation, request) },
    ...(call === undefined ? [] : [{ lang: 'TypeScript', label: 'TypeScript', source: typescript(operation, request, call) } as const]),
    { lang: 'Python', label: 'Python', source: python(operation, request) },
  ]
}

/** A stream has no answer that an example could show: its samples are written here. */
export const STREAM_SAMPLES: readonly CodeSample[] = [
  {
    lang: 'Shell',
    label: 'curl',
    source: `curl --no-buffer '${DEMO_ORIGIN}/v1/stream?from_ledger=1006000' \\\n  -H "x-service-api-key: $ORRERY_KEY"`,
  },
  {
    lang: 'TypeScript',
    label: 'TypeScript',
    source: `import { createClient } from '@orrery/client'

const orrery = createClient({ baseUrl: '${DEMO_ORIGIN}', apiKey: process.env.ORRERY_KEY })
for await (const { id, event, data } of orrery.stream({ from_ledger: 1006000 })) console.log(id, event, data)`,
  },
]

function curl({ method, path, credential }: SampledOperation, request: Example['request']): string {
  const held = CREDENTIALS[credential]
  return [
    `curl${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} '${DEMO_ORIGIN}${exampleTarget(path, request)}'`,
    ...(held === null ? [] : [`-H "${held.header}: ${held.scheme}$${held.variable}"`]),
    ...(request.body === undefined ? [] : [`-H 'content-type: application/json'`, `-d '${JSON.stringify(request.body)}'`]),
  ].join(' \\\n  ')
}

function typescript({ path, credential, query }: SampledOperation, request: Example['request'], call: ClientCall): string {
  const held = CREDENTIALS[credential]
  const options = held === null ? '' : `, ${held.option}: process.env.${held.variable}`
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => request.path[name] ?? '')
  const first = names.map((text) => (call.isNumber === true ? text : literal(text)))
  const { own } = call
  const value = own === undefined ? undefined : request.query[own.name]
  const ownArgument =
    value === undefined ? [] : [own?.isList === true ? `[\n  ${value.split(',').map(literal).join(',\n  ')},\n]` : literal(value)]
  const rest = Object.entries(request.query).filter(([name]) => name !== own?.name)
  const parameters = rest.map(([name, text]) => `${name}: ${query[name]?.type === 'integer' ? text : literal(text)}`)
  const all = [
    ...first,
    ...ownArgument,
    ...(parameters.length === 0 ? [] : [`{ ${parameters.join(', ')} }`]),
    ...bodyArguments(request.body, call),
  ]
  const answer = `await orrery.${call.method}(${all.join(', ')})${call.hasPages === true ? '.first()' : ''}`
  const isData = credential === 'api-key'
  const last = isData ? `const { data } = ${answer}\nconsole.log(data)` : `console.log(${answer})`
  return `import { createClient } from '@orrery/client'\n\nconst orrery = createClient({ baseUrl: '${DEMO_ORIGIN}'${options} })\n${last}`
}

function bodyArguments(body: unknown, { members }: ClientCall): string[] {
  if (body === undefined) return []
  const entries = Object.entries(body as Readonly<Record<string, unknown>>)
  if (members !== undefined) return members.map((name) => literal(String(entries.find(([key]) => key === name)?.[1])))
  return [
    `{\n${entries.map(([name, value]) => `  ${name}: ${Array.isArray(value) ? `[${value.map(literal).join(', ')}]` : literal(String(value))},\n`).join('')}}`,
  ]
}

function python({ method, path, credential }: SampledOperation, request: Example['request']): string {
  const held = CREDENTIALS[credential]
  const scheme = held === null || held.scheme === '' ? '' : `${literal(held.scheme)} + `
  const query = Object.entries(request.query)
  const lines = [
    `    ${literal(`${DEMO_ORIGIN}${exampleTarget(path, { ...request, query: {} })}`)},`,
    ...(query.length === 0 ? [] : [`    params={${query.map(([name, text]) => `${literal(name)}: ${literal(text)}`).join(', ')}},`]),
    ...(held === null ? [] : [`    headers={${literal(held.header)}: ${scheme}os.environ[${literal(held.variable)}]},`]),
    ...(request.body === undefined ? [] : [`    json=${JSON.stringify(request.body)},`]),
    '    timeout=30,',
  ]
  const imports = held === null ? 'import requests' : 'import os\n\nimport requests'
  return `${imports}\n\nresponse = requests.${method}(\n${lines.join('\n')}\n)\nresponse.raise_for_status()\nprint(response.text)`
}

/** A text in single quotes, for JavaScript and Python. */
function literal(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
