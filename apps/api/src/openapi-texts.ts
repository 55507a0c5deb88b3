// Texts of the OpenAPI document that belong to no single route.

import { CSV_DEADLINE_MS, CSV_ROWS } from './csv/csv-table.ts'
import { ADDRESSES_PER_UNIT, BUCKETS_PER_UNIT, CSV_UNITS, MAX_COST } from './request-cost.ts'

export const API_DESCRIPTION = `Positions, history, activity and protocol data of DeFi on Stellar: Blend, Aquarius, Soroswap and FxDAO. Wallet balances,
payments outside of these protocols, NFTs and other protocols are [not indexed](/docs/not-indexed). The [guides](/docs/guides) are about single
topics; the page on [wallet screens](/docs/wallet-screens) has the requests of common screens.

- **Credentials**: data endpoints take an API key in the header \`x-service-api-key\`. Management endpoints take an access token in the header
  \`authorization: Bearer\`, which \`POST /v1/auth/login\` returns. Neither replaces the other.
- **Envelope** of data endpoints: \`data\`, \`enrichment\` (every asset and contract named in \`data\`) and \`meta\` (the ledger, the sources and the
  completeness of the answer).
- **Values**: amounts are decimal strings without exponent, in units of the token (\`1.5\` is one and a half tokens). Members named \`raw_…\` are
  integers in the smallest unit of the token. Members that end in \`_pct\` are percentages. All other rates and yields are fractions: \`0.05\` is 5 %.
  Timestamps are UTC with whole seconds. Ledgers are integers. Assets are identified by their token contract.
- **\`null\`** means that there is no value, and never stands for 0: a health factor without debt, a liquidation price that no market move reaches, a
  USD value without a price (and a cost or gain that needs such a value), decimals of a token whose decimals are unknown, a bucket without a
  snapshot with \`fill=null\`, the cursor after the last page. The schema marks every member that can be null; all other members are always present.
- **Freshness**: an answer includes all ledgers up to \`meta.last_indexed_ledger\`. If something is missing, \`meta.partial_result\` is true,
  and \`meta.warnings\` names it.
- **Positions that predate the index**: if the index begins after a protocol was deployed, it lacks positions that have not changed since. They are
  read from a Stellar RPC, if one is configured. Such items have \`metadata.as_of_ledger\`, the ledger of the RPC response; \`meta.sources\` then
  includes \`soroban_rpc\`, and \`meta.partial_result\` is true. Only current positions are read from the RPC, never those of a request with
  \`as_of_ledger\`.
- **Errors**: every error has a code from a closed list, a message that names what to do, and in \`docs\` the path of the page of its code ([all codes](/docs/errors)). Unknown and repeated query parameters are refused.
  A request that cannot be read as HTTP gets the same envelope with 400, 408 (\`timeout\`), 413 or 431 (\`payload_too_large\`); the server
  then closes the connection.
- **Rate limit**: an organization has a number of units per minute for all its keys and users. A request costs 1 unit. If its answer is computed, it
  costs more: 1 unit per ${BUCKETS_PER_UNIT} buckets, 1 unit per ${ADDRESSES_PER_UNIT} accounts of a request for several, and ${CSV_UNITS} units for CSV. The sum of these is rounded
  up to a whole number. A request costs at most ${MAX_COST} units. A window without a first bound counts from the
  first indexed ledger. If fewer units are left, the request gets 429 and only the 1 is taken. An error, a 304 and an answer that the server has
  cached cost 1. The header \`RateLimit-Cost\` shows the cost. An organization has a few answers computed at the same time; further requests wait
  in a queue, and that time counts to the deadline. If the queue is full, a request gets 429.
- **CSV**: feeds, actions, histories, series, TVL, prices and the list of pools also come as CSV, if a request prefers \`text/csv\` in \`Accept\`.
  \`*/*\` is JSON. Columns are the members of the items, named in the first line; members that are lists or objects are JSON, and null is an empty
  field. A page has at most ${CSV_ROWS.toLocaleString('en')} rows, and a history without buckets 5,000; if there are more, the header \`Link\` has the address of the next page,
  relative to this host. The members of \`meta\` and the other members of \`data\` are in headers, such as \`x-orrery-last-indexed-ledger\` and
  \`x-orrery-address\`. A text that begins with \`=\`, \`+\`, \`-\` or \`@\` and is no number begins with an apostrophe, so that spreadsheets do not
  compute it. Errors are JSON. A request may take ${CSV_DEADLINE_MS / 1000} seconds.
- **Streams**: \`GET /v1/stream\` sends events instead of an envelope, without a deadline; [Streams](/docs/streams) has what it promises.
- **Webhooks** bring the same events to an address of yours; [Webhooks](/docs/webhooks) has what they promise.
- **Caching**: answers have a weak \`ETag\`; a request with \`If-None-Match\` gets 304 if nothing has changed. HEAD is supported wherever GET is.
- **Examples** are requests to the demo network, which \`npm start\` of the repository serves, and its answers. Ids, tokens, cursors and times of the server are
  replaced by fixed values.
- **Stability**: operations with \`x-stability: experimental\` may still change. Within \`/v1\`, answers may get further members, values, kinds and
  protocols; \`docs/stability.md\` of the repository has the rules. An operation that will end has the headers \`Deprecation\` and \`Sunset\`.`

/** By tag, in the order of the document. */
export const TAG_DESCRIPTIONS: Readonly<Record<string, string>> = {
  Positions: 'What an account has: over all protocols, in one protocol, and over time.',
  Activities: 'What an account did: a feed of movements, its actions, and their values over time.',
  Transactions: 'A transaction in words and movements.',
  Streams: 'What happens, as it is indexed.',
  Protocols: 'Protocols of the network: TVL, reserves and emissions.',
  Pools: 'Pools and markets of all protocols: holdings, rates, volumes and their history.',
  Assets: 'Assets of the index and their prices.',
  Ledgers: 'Ledgers by sequence and by time.',
  Queries: 'The SQL behind series.',
  Health: 'State of the service and of the index.',
  Organization: 'An organization, its plan and its API keys.',
  Webhooks:
    'Events of the index, sent to an address of yours. [Webhooks](/docs/webhooks) has what is promised and how to verify a request.',
  Authentication: 'Access tokens of the users of an organization.',
  Toys: 'Only in tests.',
}

export const ERROR_DESCRIPTIONS = {
  400: 'The request is not valid.',
  401: 'The credential is missing, wrong, expired or revoked.',
  403: 'The API key lacks the scope of this endpoint.',
  404: 'The item that the path names is not in the index, or there is no such endpoint.',
  405: 'The endpoint does not support this method. The header `allow` lists the methods that it supports.',
  413: 'The body is larger than 64 KiB.',
  415: 'The body is not JSON.',
  429: 'The organization has used its units of this minute, or has fewer left than the request costs; too many requests or logins are waiting; or too many wrong credentials came from this address or for this account.',
  500: 'The server failed. The request was not at fault.',
  503: 'A service that the answer needs is not available, or nothing is indexed yet.',
  504: 'The answer took too long and was cancelled.',
} as const

export interface ResponseHeader {
  readonly type: 'string' | 'integer'
  /** Whether every response that lists the header has it. */
  readonly required: boolean
  readonly description: string
}

export const RESPONSE_HEADERS: Readonly<Record<string, ResponseHeader>> = {
  'x-request-id': {
    type: 'string',
    required: true,
    description:
      'Id of the request: the `x-request-id` that you sent if it matches `^[A-Za-z0-9._-]{1,128}$`, else a generated one. Quote it when you report a problem.',
  },
  etag: { type: 'string', required: true, description: 'Weak entity tag of the answer, for `If-None-Match`.' },
  'cache-control': {
    type: 'string',
    required: true,
    description:
      'How long a client may cache the answer: an hour if it is as of an indexed ledger and not partial, otherwise a second; `no-store` for health and management endpoints.',
  },
  'ratelimit-limit': {
    type: 'integer',
    required: true,
    description: 'Units per minute of your organization. A request costs at least one unit.',
  },
  'ratelimit-remaining': { type: 'integer', required: true, description: 'Units left in this minute.' },
  'ratelimit-reset': { type: 'integer', required: true, description: 'Seconds until the next minute begins.' },
  'ratelimit-policy': { type: 'string', required: true, description: 'Units and window in seconds: `1200;w=60`.' },
  'ratelimit-cost': { type: 'integer', required: true, description: 'Units that this request has cost, from 1 to 30.' },
  vary: { type: 'string', required: true, description: 'Headers of the request on which the answer depends.' },
  link: { type: 'string', required: false, description: 'Of CSV: `<address of the next page>; rel="next"`. Absent on the last page.' },
  ...csvMeta(),
  'retry-after': { type: 'integer', required: true, description: 'Seconds to wait before the next attempt.' },
  'www-authenticate': { type: 'string', required: true, description: 'The credential that the endpoint requires.' },
  allow: { type: 'string', required: true, description: 'Methods that the endpoint supports.' },
  deprecation: {
    type: 'string',
    required: true,
    description: 'Of a deprecated operation: since when it should not be used (RFC 9745). `Link` with `rel="deprecation"` names the page.',
  },
  sunset: { type: 'string', required: true, description: 'Of a deprecated operation: from when on it may be gone (RFC 8594).' },
}

/** The members of `meta` as headers of an answer as CSV. */
function csvMeta(): Readonly<Record<string, ResponseHeader>> {
  const texts = {
    'attribution-confidence': '`meta.attribution_confidence`',
    'data-staleness-seconds': '`meta.data_staleness_seconds`',
    'last-indexed-ledger': '`meta.last_indexed_ledger`',
    'oracle-staleness-seconds': '`meta.oracle_staleness_seconds`',
    'partial-result': '`meta.partial_result`',
    'response-time-ms': '`meta.response_time_ms`',
    sources: '`meta.sources`, separated by commas',
    warnings: 'the codes of `meta.warnings`, each once, separated by commas',
  }
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [`x-orrery-${name}`, { type: 'string', required: false, description: `Of CSV: ${text}.` }]),
  )
}
