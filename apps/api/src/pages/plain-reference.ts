// /docs/plain: the OpenAPI document as one page without script.

import { EXAMPLES } from '../examples/example.ts'
import type { JsonSchema } from '../json-schema.ts'
import type { OpenApiDocument } from '../openapi.ts'
import type { Operation, Parameter } from '../openapi-operation.ts'
import { ERROR_DESCRIPTIONS } from '../openapi-texts.ts'
import { escaped, type Page, staticPage } from './page.ts'

export function plainReference(document: OpenApiDocument): Page {
  return staticPage('/docs/plain', 'Reference without script', () => contentOf(document))
}

function contentOf({ info, paths, components }: OpenApiDocument): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationHtml(method, path, operation)),
  )
  const errors = Object.entries(ERROR_DESCRIPTIONS).map(
    ([status, text]) => `<tr><td><code>${status}</code></td><td>${inline(text)}</td></tr>`,
  )
  return `<h1>${escaped(info.title)} API <small>${escaped(info.version)}</small></h1>
${prose(info.description)}
<h2>Endpoints</h2>
${operations.join('\n')}
<h2>Errors by status</h2>
<p>The page on <a href="/docs/errors">errors</a> has every code.</p>
${wide(`<table><tr><th scope="col">Status</th><th scope="col">Meaning</th></tr>${errors.join('')}</table>`)}
<h2>Schemas</h2>
${Object.entries(components.schemas)
  .map(([id, schema]) => `<details id="${escaped(id)}"><summary>${escaped(id)}</summary>${json(schema)}</details>`)
  .join('\n')}`
}

function operationHtml(method: string, path: string, operation: Operation): string {
  const mark = operation['x-stability'] === 'stable' ? '' : ` <span class="experimental">${operation['x-stability']}</span>`
  const rows = operation.parameters.map(parameterHtml).join('')
  const heads = ['Parameter', 'Type', 'Meaning'].map((head) => `<th scope="col">${head}</th>`).join('')
  const table = rows === '' ? '<p>No parameters.</p>' : wide(`<table><tr>${heads}</tr>${rows}</table>`)
  const example = EXAMPLES.get(operation.operationId)
  const success = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))?.[1]
  return `<details id="${escaped(operation.operationId)}">
<summary><code>${method.toUpperCase()} ${escaped(path)}</code><span>${inline(operation.summary)}</span>${mark}</summary>
${prose(operation.description)}
${table}
${operation['x-codeSamples'].map(({ label, source }) => `<p>${escaped(label)}</p>${code(source)}`).join('\n')}
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
  return code(JSON.stringify(value, null, 2))
}

/** Scrolls by itself, by keyboard too. */
function code(text: string): string {
  return `<pre tabindex="0"><code>${escaped(text)}</code></pre>`
}

function wide(table: string): string {
  return `<div class="wide" tabindex="0" role="group" aria-label="Table">${table}</div>`
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

/** `code`, **strong** and links; everything else stays plain text. */
function inline(text: string): string {
  return escaped(text)
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replaceAll(/\[([^\]]+)\]\((\/[^)\s]*)\)/g, '<a href="$2">$1</a>')
}
