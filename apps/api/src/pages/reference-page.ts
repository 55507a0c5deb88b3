// /docs: the reference, drawn by Scalar from /openapi.json. Without script it names the page that needs none.

import type { OpenApiDocument } from '../openapi.ts'
import { escaped, navigation, type Page, REFERENCE_POLICY } from './page.ts'

const PATH = '/docs'

export function referencePage({ info }: OpenApiDocument): Page {
  const body = () => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(info.title)} API</title>
<link rel="stylesheet" href="/docs/assets/bar.css">
<link rel="stylesheet" href="/docs/assets/reference.css">
<link rel="icon" href="data:,">
</head>
<body class="reference">
${navigation(PATH)}
<noscript><main><p>This page needs JavaScript. <a href="/docs/plain">The reference without script</a> has the same content, without search and without requests from the page.</p></main></noscript>
<div id="reference"></div>
<script src="/docs/assets/before-scalar.js"></script>
<script src="/docs/assets/scalar.js"></script>
<script src="/docs/assets/reference.js"></script>
</body>
</html>
`
  return { path: PATH, type: 'html', body, policy: REFERENCE_POLICY }
}
