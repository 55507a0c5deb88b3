// /docs: the OpenAPI document as one HTML page. It has no script and loads nothing, so it needs no other server.

import { EXAMPLES, exampleTarget } from './examples/example.ts'
import type { JsonSchema } from './json-schema.ts'
import type { OpenApiDocument } from './openapi.ts'
import type { Operation, Parameter } from './openapi-operation.ts'
import { ERROR_DESCRIPTIONS } from './openapi-texts.ts'

export const STYLE = `
:root { color-scheme: light dark; --dim: #777; --line: #8884; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
code, pre { font: 13px/1.45 ui-monospace, monospace; }
pre { overflow: auto; padding: .75rem; border: 1px solid var(--line); border-radius: 6px; }
details { border-top: 1px solid var(--line); padding: .5rem 0; }
summary { cursor: pointer; }
summary span { color: var(--dim); margin-left: .75rem; }
table { border-collapse: collapse; width: 100%; }
td, th { text-align: left; vertical-align: top; padding: .3rem .75rem .3rem 0; border-bottom: 1px solid var(--line); }
.experimental { border: 1px solid var(--dim); border-radius: 6px; padding: 0 .35rem; font-size: 12px; }`

/** By name of the security scheme. */
const CREDENTIAL_HEADERS: Readonly<Record<string, string>> = {
  apiKey: 'x-service-api-key: YOUR_KEY',
  bearer: 'authorization: Bearer ACCESS_TOKEN',
  adminToken: 'x-service-admin-token: ADMIN_TOKEN',
}

export function docsPage(document: OpenApiDocument): string {
  const { info, paths } = document
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationHtml(method, path, operation)),
  )
  const errors = Object.entries(ERROR_DESCRIPTIONS).map(
    ([status, text]) => `<tr><td><code>${status}</code></td><td>${inline(text)}</td></tr>`,
  )
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(info.title)} API</title><style>${STYLE}</style></head>
<body>
<h1>${escaped(info.title)} API <small>${escaped(info.version)}</small></h1>
${prose(info.description)}
<p>The same as JSON: <a href="/openapi.json">/openapi.json</a></p>
<h2>Endpoints</h2>
${operations.join('\n')}
<h2>Errors</h2>
<table>${errors.join('')}</table>
<h2>Schemas</h2>
${Object.entries(document.components.schemas)
  .map(([id, schema]) => `<details id="${escaped(id)}"><summary>${escaped(id)}</summary>${json(schema)}</details>`)
  .join('\n')}
</body>
</html>
`
}

function operationHtml(method: string, path: string, operation: Operation): string {
  const mark = operation['x-stability'] === 'stable' ? '' : ` <span class="experimental">${operation['x-stability']}</span>`
  const rows = operation.parameters.map(parameterHtml).join('')
  const table = rows === '' ? '<p>No parameters.</p>' : `<table><tr><th>Parameter</th><th>Type</th><th>Meaning</th></tr>${rows}</table>`
  const credential = CREDENTIAL_HEADERS[Object.keys(operation.security[0] ?? {})[0] ?? '']
  const key = credential === undefined ? '' : ` -H '${credential}'`
  const verb = method === 'get' ? '' : ` -X ${method.toUpperCase()}`
  const example = EXAMPLES.get(operation.operationId)
  const sent = example?.request.body === undefined ? '{…}' : JSON.stringify(example.request.body)
  const body = operation.requestBody === undefined ? '' : ` -H 'content-type: application/json' -d '${sent}'`
  const target = example === undefined ? path : exampleTarget(path, example.request)
  const success = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))?.[1]
  return `<details id="${escaped(operation.operationId)}">
<summary><code>${method.toUpperCase()} ${escaped(path)}</code><span>${inline(operation.summary)}</span>${mark}</summary>
${prose(operation.description)}
${table}
<pre>curl${escaped(verb + key + body)} 'http://HOST${escaped(target)}'</pre>
${folded('Answer of the demo network', example?.response)}
${folded('Body', withoutExamples(operation.requestBody))}
${folded('Response', withoutExamples(success))}
</details>`
}

/** Nothing without a value. */
function folded(title: string, value: unknown): string {
  return value === undefined || value === null ? '' : `<details><summary>${title}</summary>${json(value)}</details>`
}

/** A body or a response whose example the page shows by itself. */
function withoutExamples(body: JsonSchema | undefined): JsonSchema | undefined {
  if (body?.content === undefined) return body
  const media = Object.entries(body.content as Readonly<Record<string, JsonSchema>>)
  return { ...body, content: Object.fromEntries(media.map(([type, { example: _, ...rest }]) => [type, rest])) }
}

function parameterHtml({ name, in: where, required, description, schema }: Parameter): string {
  const facts = ['type', 'format', 'enum', 'minimum', 'maximum', 'default'].flatMap((keyword) =>
    schema[keyword] === undefined ? [] : [keyword === 'type' ? String(schema[keyword]) : `${keyword} ${JSON.stringify(schema[keyword])}`],
  )
  const place = where === 'path' ? 'in the path' : required ? 'required' : 'optional'
  return `<tr><td><code>${escaped(name)}</code><br><small>${place}</small></td><td>${escaped(facts.join(', '))}</td><td>${inline(description)}</td></tr>`
}

function json(value: unknown): string {
  return `<pre>${escaped(JSON.stringify(value, null, 2))}</pre>`
}

/** Paragraphs and lists of a description. */
function prose(text: string): string {
  return text
    .split('\n\n')
    .map((block) => {
      const [head = '', ...items] = `\n${block}`.split('\n- ')
      const list = items.length === 0 ? '' : `<ul>${items.map((item) => `<li>${inline(item)}</li>`).join('')}</ul>`
      return `${head.trim() === '' ? '' : `<p>${inline(head)}</p>`}${list}`
    })
    .join('\n')
}

/** \`code\` and **strong**; everything else stays plain text. */
export function inline(text: string): string {
  return escaped(text)
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
